#!/bin/sh
# The main job on real code: index psf/requests, commit, clone, ask the clone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { printf '\n$ %s\n' "$*"; }

say pip download requests==2.32.3
python -m pip download -q --no-deps --no-binary :all: -d "$folder" requests==2.32.3
mkdir "$folder/requests"
tar -xzf "$folder"/requests-2.32.3.tar.gz -C "$folder/requests" --strip-components 1
cd "$folder/requests"
git init -q
git add .
git -c user.name=demo -c user.email=demo@example.org commit -q -m 'requests 2.32.3'

say git search-index init
git search-index init
git -c user.name=demo -c user.email=demo@example.org commit -q -m 'Add the search index'
git clone -q "file://$folder/requests" "$folder/clone"
cd "$folder/clone"

say 'cd clone; git search-index check'
git search-index check && echo 'every source file is covered'
for question in \
    'where do we decide that credentials are dropped on a redirect' \
    'how big is the body we are about to send' \
    raise_for_status
do
    say "git search -n 3 '$question'"
    git search -n 3 "$question"
done
