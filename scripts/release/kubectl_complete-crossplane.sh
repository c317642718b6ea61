#!/bin/sh
# kubectl runs this to complete the words after `kubectl crossplane`.
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
exec "${file%/*}/kubectl-crossplane" __complete "$@"
