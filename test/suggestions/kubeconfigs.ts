import {join} from 'node:path'
import {folderOf, newPath} from './available-packages.js'
import type {Argv, SuggestionCase} from './suggestion-case.js'

interface Entries {
  readonly current?: string
  readonly context?: string
  readonly cluster?: string
  readonly user?: string
}

/** A kubeconfig with one context, cluster and user, each in YAML. */
const configText = ({
  current = 'a',
  context = '{cluster: a, user: a}',
  cluster = "{server: 'https://127.0.0.1:1'}",
  user = '{token: t}',
}: Entries) => `apiVersion: v1
kind: Config
current-context: '${current}'
contexts: [{name: a, context: ${context}}]
clusters: [{name: a, cluster: ${cluster}}]
users: [{name: a, user: ${user}}]
`

const listBy = (path: string, ...flags: readonly string[]): Argv => [
  ...['package', 'list', '--kubeconfig', path],
  ...flags,
]
const listWith =
  (entries: Entries, ...flags: readonly string[]) =>
  () =>
    listBy(join(folderOf({config: configText(entries)}), 'config'), ...flags)

/** Kubeconfigs that lead to no cluster. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a kubeconfig that is not found', in: () => listBy(newPath())},
  {
    name: 'a kubeconfig without contexts',
    in: () => listBy(join(folderOf({config: 'apiVersion: v1\nkind: Config\n'}), 'config')),
  },
  {name: 'a kubeconfig without a current context', in: listWith({current: ''})},
  {name: 'a current context that is not defined', in: listWith({current: 'production'})},
  {name: 'a context that is not defined', in: listWith({}, '--context', 'production')},
  {name: 'a context of a cluster that is not defined', in: listWith({context: '{cluster: b, user: a}'})},
  {name: 'a context of a user that is not defined', in: listWith({context: '{cluster: a, user: b}'})},
  {
    name: 'a cluster whose CA is not base64',
    in: listWith({cluster: "{server: 'https://127.0.0.1:1', certificate-authority-data: '?'}"}),
  },
  {name: 'a user whose certificate is not base64', in: listWith({user: "{client-certificate-data: '?'}"})},
  {
    name: 'a cluster with a CA and without verification',
    in: listWith({
      cluster:
        "{server: 'https://127.0.0.1:1', certificate-authority-data: eA==, insecure-skip-tls-verify: true}",
    }),
  },
  {name: 'a user with a token and a password', in: listWith({user: '{token: t, username: a, password: b}'})},
  {name: 'a group without a user', in: listWith({}, '--as-group', 'admins')},
  {name: 'a user with a control character', in: listWith({}, '--as', 'a\u0001')},
  {
    name: 'a plugin that is not installed',
    in: listWith({
      user: '{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never}}',
    }),
  },
]
