"""Texts of many lengths and scripts, for which every encoder must give the same vectors."""

from __future__ import annotations

TEXTS: tuple[str, ...] = (
    "",
    " \n\t ",
    "a",
    "where is the session cookie set after a redirect?",
    "requests/sessions.py\ndef rebuild_auth(self, prepared_request, response):\n    headers = {}\n",
    "naïve café, Ångström, ﬁnancial, İstanbul, ß",
    "検索インデックスを更新する関数はどこですか",
    "ฟังก์ชันที่อัปเดตดัชนีการค้นหา",
    "search 🔎 the 👩🏽‍💻 code 🚀",
    "a\x00b\x1b[31mc\u200bd\ufeff",
    "\ud83d\ude80 paired, \udcff lone \ud800",
    "x" * 300,
    "[MASK] [SEP] [PAD] <pad> </s> literal special tokens",
    *(" ".join(f"word{i % 7} +={i}" for i in range(n)) for n in (3, 9, 20, 33, 47, 80)),
    ("def f(x):\n    return x ** 2  # squares\n" * 140)[:5000],
)
