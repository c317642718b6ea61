import {describe, expect, it} from '@jest/globals'
import {wordsForOtherFlag} from '../../../src/cli/shell/other-flags.js'

const IDS = [
  'package build',
  'package install',
  'package list',
  'package rollback',
  'package tree',
  'package uninstall',
  'package upgrade',
]
const KNOWN = {
  ids: [...IDS, 'registry logout'],
  flagNames: ['context', 'declaration', 'namespace', 'no-wait', 'output'],
}

/** What the words of a command line become, for the flag. */
function wordsOf(line: string, flag: string): string | undefined {
  return wordsForOtherFlag(flag, line.split(' '), KNOWN)?.join(' ')
}

describe('the command line for a flag of another program', () => {
  it.each([
    ['package install a/b --ns team', '--ns', 'package install a/b --namespace team'],
    ['package install a/b --kube-context=c', '--kube-context', 'package install a/b --context=c'],
    ['package list --out=json', '--out', 'package list --output=json'],
    ['package install a/b --version v1 --yes', '--version', 'package install a/b:v1 --yes'],
    ['package install a/b --version=v1', '--version', 'package install a/b:v1'],
    ['package uninstall b --wait', '--wait', 'package uninstall b'],
    ['package uninstall b --wait=false', '--wait', 'package uninstall b --no-wait'],
    ['package uninstall b --cascade=orphan', '--cascade', 'package uninstall b --custom-resources=keep'],
    ['package upgrade b -n team --yes', '-n', 'package upgrade team/b --yes'],
    ['package upgrade --namespace=team b', '--namespace', 'package upgrade team/b'],
    ['package upgrade -n team', '-n', 'package list -n team'],
    ['package build -f ./x', '-f', 'package build ./x'],
    ['package build --package-root=./x', '--package-root', 'package build ./x'],
    ['package upgrade --all', '--all', 'package upgrade'],
    ['package tree -A -o json', '-A', 'package tree -o json'],
    ['package list -w', '-w', 'package status -w'],
  ])('%s: %s', (line, flag, want) => {
    expect(wordsOf(line, flag)).toBe(want)
  })

  it.each([
    ['package install a/b --version --yes', '--version', 'the next word is a flag'],
    ['package install a/b:v2 --version v1', '--version', 'it has a tag'],
    ['package install ./b --version v1', '--version', 'a folder has no tag'],
    ['package rollback b --version v1', '--version', 'the argument is a name'],
    ['package uninstall b --cascade=foreground', '--cascade', 'it means something else'],
    ['package upgrade a b -n team', '-n', 'there are two names'],
    ['package upgrade b -n --yes', '-n', 'the value is missing'],
    ['package build oci:x -f ./x --no-lint', '-f', 'other flags have values'],
    ['package upgrade b --all', '--all', 'a name selects one'],
    ['package uninstall b -A', '-A', 'it removes what is named'],
    ['registry logout --all', '--all', 'it requires a host'],
    ['package upgrade a/b --install', '--install', 'it installs nothing'],
  ])('is none for %s: %s, since %s', (line, flag) => {
    expect(wordsOf(line, flag)).toBeUndefined()
  })
})
