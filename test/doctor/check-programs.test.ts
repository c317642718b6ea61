import {describe, expect, it} from '@jest/globals'
import {checkKubectl, checkNode, checkPlugins, type ProgramFile} from '../../src/doctor/check-programs.js'

const COMMANDS = ['package install', 'package generate-install', 'package list', 'registry login', 'doctor']

const file = (path: string, isSelf = false): ProgramFile => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  isSelf,
})

const SELF = file('/bin/kubectl-crossplane', true)
const OK = {id: 'plugin', state: 'ok', message: '/bin/kubectl-crossplane'}

describe('the programs that kubectl finds', () => {
  it.each([
    {name: 'this one alone', reason: 'is what kubectl runs', in: [SELF], want: [OK]},
    {
      name: 'none',
      reason: 'a full path still works',
      in: [],
      want: [
        {
          id: 'plugin',
          state: 'warning',
          message: 'kubectl-crossplane not found on PATH; kubectl cannot run it',
          suggestion: 'Add the folder of kubectl-crossplane to PATH.',
        },
      ],
    },
    {
      name: 'another one first',
      reason: 'kubectl runs the first',
      in: [file('/old/kubectl-crossplane'), SELF],
      want: [
        {
          id: 'plugin',
          state: 'broken',
          message: 'another program is first on PATH, and kubectl runs it: /old/kubectl-crossplane',
          suggestion: 'chmod -x /old/kubectl-crossplane',
        },
      ],
    },
    {
      name: 'another one later',
      reason: 'it is run when this one is removed',
      in: [SELF, file('/old/kubectl-crossplane')],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'warning',
          message: 'another kubectl-crossplane is later on PATH: /old/kubectl-crossplane',
          suggestion: 'chmod -x /old/kubectl-crossplane',
        },
      ],
    },
    {
      name: 'a longer name of a command',
      reason: 'kubectl prefers the longest name',
      in: [SELF, file("/it's old/kubectl-crossplane-package-install")],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'broken',
          message: "instead of package install, kubectl runs /it's old/kubectl-crossplane-package-install",
          suggestion: "chmod -x '/it'\\''s old/kubectl-crossplane-package-install'",
        },
      ],
    },
    {
      name: 'a longer name of a noun',
      reason: 'it hides all verbs',
      in: [SELF, file('/old/kubectl-crossplane-package')],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'broken',
          message:
            'instead of package install, package generate-install, package list, kubectl runs /old/kubectl-crossplane-package',
          suggestion: 'chmod -x /old/kubectl-crossplane-package',
        },
      ],
    },
    {
      name: 'a name with an underscore',
      reason: 'it stands for a dash within a word',
      in: [SELF, file('/old/kubectl-crossplane-package-generate_install')],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'broken',
          message:
            'instead of package generate-install, kubectl runs /old/kubectl-crossplane-package-generate_install',
          suggestion: 'chmod -x /old/kubectl-crossplane-package-generate_install',
        },
      ],
    },
    {
      name: 'a name that goes on after a command',
      reason: 'it hides the command for one argument',
      in: [SELF, file('/old/kubectl-crossplane-package-list-all')],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'warning',
          message:
            'instead of package list with the argument all, kubectl runs /old/kubectl-crossplane-package-list-all',
          suggestion: 'chmod -x /old/kubectl-crossplane-package-list-all',
        },
      ],
    },
    {
      name: 'a command that this program does not have',
      reason: 'it hides nothing',
      in: [SELF, file('/bin/kubectl-crossplane-stack-init')],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'ok',
          message: '/bin/kubectl-crossplane-stack-init adds the command stack init',
        },
      ],
    },
    {
      name: 'a name of control characters',
      reason: 'a file must not write to the terminal',
      in: [SELF, file('/bin/kubectl-crossplane-\u001b[2J')],
      want: [
        OK,
        {
          id: 'plugin',
          state: 'ok',
          message: '/bin/kubectl-crossplane-\\u001b[2J adds the command \\u001b[2J',
        },
      ],
    },
  ])('$name: $reason', ({in: files, want}) => {
    expect(checkPlugins(files, COMMANDS)).toEqual(want)
  })
})

const printed = (gitVersion: string) =>
  ({kind: 'printed', text: JSON.stringify({clientVersion: {gitVersion}})}) as const
const SERVER = {major: 1, minor: 36}
const TOOLS = 'https://kubernetes.io/docs/tasks/tools/'

describe('kubectl', () => {
  it.each([
    {
      name: 'of the same release',
      in: printed('v1.36.0'),
      server: SERVER,
      want: {state: 'ok', message: 'v1.36.0'},
    },
    {
      name: 'one release older',
      in: printed('v1.35.9'),
      server: SERVER,
      want: {state: 'ok', message: 'v1.35.9'},
    },
    {
      name: 'without a server',
      in: printed('v1.20.1'),
      server: undefined,
      want: {state: 'ok', message: 'v1.20.1'},
    },
    {
      name: 'two releases older',
      in: printed('v1.34.0'),
      server: SERVER,
      want: {
        state: 'warning',
        message: 'v1.34.0 is 2 minor versions older than the server; at most 1 is supported',
        suggestion: `Install kubectl 1.36: ${TOOLS}`,
      },
    },
    {
      name: 'newer',
      in: printed('v1.36.0'),
      server: {major: 1, minor: 20},
      want: {
        state: 'warning',
        message: 'v1.36.0 is 16 minor versions newer than the server; at most 1 is supported',
        suggestion: `Install kubectl 1.20: ${TOOLS}`,
      },
    },
    {
      name: 'before plugins',
      in: printed('v1.11.10'),
      server: undefined,
      want: {
        state: 'broken',
        message: 'v1.11.10 is too old to run plugins',
        suggestion: `Install kubectl 1.12 or later: ${TOOLS}`,
      },
    },
    {
      name: 'that prints something else',
      in: {kind: 'printed', text: 'oops'} as const,
      server: undefined,
      want: {
        state: 'warning',
        message: 'cannot read the version of kubectl',
        suggestion: `Install kubectl 1.12 or later: ${TOOLS}`,
      },
    },
    {
      name: 'that fails',
      in: {kind: 'failed', reason: 'it exited with 1'} as const,
      server: SERVER,
      want: {
        state: 'warning',
        message: 'cannot run kubectl: it exited with 1',
        suggestion: `Install kubectl 1.36: ${TOOLS}`,
      },
    },
    {
      name: 'that is missing',
      in: {kind: 'absent'} as const,
      server: SERVER,
      want: {
        state: 'warning',
        message: 'not found on PATH',
        suggestion: `Install kubectl 1.36: ${TOOLS}`,
      },
    },
  ])('$name', ({in: output, server, want}) => {
    expect(checkKubectl(output, server)).toEqual({id: 'kubectl', ...want})
  })
})

describe('Node.js', () => {
  it.each([
    {version: 'v20.19.0', state: 'ok'},
    {version: 'v22.1.0', state: 'ok'},
    {version: 'v20.18.9', state: 'broken'},
  ])('$version is $state', ({version, state}) => {
    expect(checkNode(version, '>=20.19')).toMatchObject({id: 'node', state})
  })
})
