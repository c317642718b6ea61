#!/bin/sh
# Runs the program with the Node beside it; as kubectl_complete-crossplane, which kubectl runs to complete the words after
# `kubectl crossplane`, the program beside it. A package manager may have linked this file from elsewhere.
set -e
case $0 in
  */*) file=$0 ;;
  *) file=./$0 ;;
esac
while [ -L "$file" ]; do
  # PATH can be empty.
  target=$(PATH=/usr/bin:/bin${PATH:+:$PATH} readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=${file%/*}/$target ;;
  esac
done
folder=${file%/*}
case $file in
  */kubectl_complete-crossplane) exec "$folder/kubectl-crossplane" __complete "$@" ;;
  *) exec "$folder/lib/node" "$folder/lib/run.cjs" "$@" ;;
esac
