import {describe, expect, it} from '@jest/globals'
import {onCluster} from '../../../../src/cli/shell/document/on-cluster.js'

const ARGV = [
  'package',
  'status',
  'a',
  '--context',
  'other',
  '--kubeconfig=my file',
  '--as',
  'me',
  '--as-group',
  'a',
  '--as-group=b',
]
const FLAGS = "--kubeconfig 'my file' --context other --as me --as-group a --as-group b"

describe('a suggestion', () => {
  it.each([
    {text: 'kubectl describe pod a --namespace b', want: `kubectl describe pod a --namespace b ${FLAGS}`},
    {
      text: 'Request the permission, and check it: kubectl auth can-i list pods -n a',
      want: `Request the permission, and check it: kubectl auth can-i list pods -n a ${FLAGS}`,
    },
    {
      text: 'kubectl crossplane package list --all-namespaces',
      want: `kubectl crossplane package list --all-namespaces ${FLAGS}`,
    },
    ...['history', 'rollback', 'migrate', 'move'].map(verb => ({
      text: `kubectl crossplane package ${verb} a`,
      want: `kubectl crossplane package ${verb} a ${FLAGS}`,
    })),
    {
      text: 'kubectl crossplane package install --with-package-api -- -a',
      want: `kubectl crossplane package install --with-package-api ${FLAGS} -- -a`,
    },
    {
      text: 'kubectl crossplane package install ./a --as-package x/a:v1',
      want: `kubectl crossplane package install ./a --as-package x/a:v1 ${FLAGS}`,
    },
    {
      text: 'kubectl crossplane package why a --installed',
      want: `kubectl crossplane package why a --installed ${FLAGS}`,
    },
    {
      text: 'kubectl config set-context a --cluster=NAME',
      want: "kubectl config set-context a --cluster=NAME --kubeconfig 'my file'",
    },
    {
      text: 'Use one of a, b: kubectl config set-context c --user=NAME',
      want: "Use one of a, b: kubectl config set-context c --user=NAME --kubeconfig 'my file'",
    },
    {
      text: 'kubectl crossplane package status a --context other',
      want: "kubectl crossplane package status a --context other --kubeconfig 'my file' --as me --as-group a --as-group b",
    },
  ])('has the flags of the cluster: $text', ({text, want}) => {
    expect(onCluster(text, ARGV)).toBe(want)
    expect(onCluster(text, ['package', 'status', '--', '--context', 'other'])).toBe(text)
  })

  it.each([
    'List its tags: kubectl crossplane package versions x/a',
    'kubectl crossplane package lock --upgrade',
    'kubectl crossplane package drift --declaration a.yaml',
    'kubectl crossplane package upgrade x/a',
  ])('that reads packages reads them from the same mirrors: %s', text => {
    const argv = ['package', 'lock', '--mirror', 'a=b', '--mirror=c=d/e']
    expect(onCluster(text, argv)).toBe(`${text} --mirror a=b --mirror c=d/e`)
    expect(onCluster('kubectl crossplane package status', argv)).toBe('kubectl crossplane package status')
    expect(onCluster(`${text} --help`, argv)).toBe(`${text} --help`)
  })

  it('that pulls what a mirror lacks in the cache does not map its name again', () => {
    const text = 'Pull it once without --offline: kubectl crossplane package pull b.example/x/a:v1'
    const argv = ['package', 'tree', '--mirror', 'a.example=b.example', '--mirror', 'b.example=c.example']
    expect(onCluster(text, [...argv, '--cache-dir', 'c'])).toBe(`${text} --cache-dir c`)
  })

  it('that commits has the flags of the cluster only beside its context', () => {
    const text = 'In a clone: kubectl crossplane package upgrade a:v1 --git .'
    expect(onCluster(text, ['package', 'upgrade', 'a:v1', '--kubeconfig', 'f', '--as', 'me'])).toBe(text)
    const words = ['--kubeconfig', 'f', '--context', 'c']
    expect(onCluster(text, ['package', 'upgrade', 'a:v1', ...words])).toBe(
      `${text} --kubeconfig f --context c`,
    )
  })

  it('that commits has the flags of the repository', () => {
    const text = 'Commit it alone: kubectl crossplane package upgrade --resolver=off --change-settings'
    const argv = [
      'package',
      'upgrade',
      'a:v2',
      '--git=../other repo',
      '--path',
      'clusters/a',
      '--context',
      'b',
    ]
    expect(onCluster(text, argv)).toBe(`${text} --git '../other repo' --path clusters/a --context b`)
    const remote = ['package', 'upgrade', '--git', 'https://me:secret@git.example.org/a.git']
    expect(onCluster(text, remote)).toBe(`${text} --git https://git.example.org/a.git`)
  })

  it.each([
    'kubectl crossplane package versions a',
    'kubectl crossplane package why a',
    'kubectl crossplane package status --help',
    'kubectl crossplane registry login a',
    'Run kubectl crossplane package lint on the package.',
    'Pass --with-package-api.',
  ])('that needs no cluster stays as it is: %s', text => {
    expect(onCluster(text, ARGV)).toBe(text)
  })
})
