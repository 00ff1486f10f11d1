"""From a question's words and the candidates of its lists to an order that people want.

``terms`` are the words of a question, ``stems`` bring their forms together, ``priors`` weigh what
fusion cannot know, ``joining`` makes one hit of what stands together, ``snippets`` choose the lines
that are shown. Whatever reorders hits (a reranker takes hits and gives hits) belongs here.
"""
