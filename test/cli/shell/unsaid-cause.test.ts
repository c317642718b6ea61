import {describe, expect, it} from '@jest/globals'
import {unsaidCause} from '../../../src/cli/shell/unsaid-cause.js'

const USER = 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "a"'
const status = (text: string) => `GET https://example.org/api: status 403; ${JSON.stringify(text)}`

describe('the cause of a failure', () => {
  it.each([
    {reason: 'said by the message', message: 'cannot read x: torn', cause: 'torn'},
    {
      reason: 'a refused connection',
      message: 'cannot connect: connection refused',
      cause: 'connect ECONNREFUSED ::1:1',
    },
    {
      reason: 'an unknown host',
      message: 'cannot connect to x: no such host',
      cause: 'getaddrinfo ENOTFOUND x',
    },
    {
      reason: 'a closed connection',
      message: 'cannot connect: connection reset by peer',
      cause: 'socket hang up',
    },
    {
      reason: 'no TLS',
      message: 'x does not support TLS',
      cause: 'the answer to the TLS handshake is not TLS',
    },
    {reason: 'a document', message: 'x is not valid JSON', cause: 'Unexpected end of JSON input'},
    {
      reason: 'a document with a wrong token',
      message: 'x is not valid JSON',
      cause: `Unexpected token '<', "<html>\n<bo"... is not valid JSON`,
    },
    {
      reason: 'a document with more than a value',
      message: 'x is not valid JSON',
      cause: 'Unexpected non-whitespace character after JSON at position 7 (line 1 column 8)',
    },
    {
      reason: 'a missing file',
      message: 'cannot read x: no such file or directory',
      cause: "ENOENT: no such file or directory, open 'x'",
    },
    {
      reason: 'a folder',
      message: 'cannot read x: is a directory',
      cause: 'EISDIR: illegal operation on a directory, read',
    },
    {reason: 'the quoted text of a server', message: 'cannot apply x: rejected: "no"', cause: status('no')},
    {
      reason: 'a missing permission',
      message: 'cannot list pods: permission denied: user "jane" cannot list pods in namespace "a"',
      cause: status(USER),
    },
  ])('is not told again for $reason', ({message, cause}) => {
    expect(unsaidCause(message, cause)).toBeUndefined()
  })

  it.each([
    {reason: 'other words', cause: 'the disk is on fire', want: 'the disk is on fire'},
    {reason: 'a system error', cause: "EACCES: permission denied, open 'x'", want: 'permission denied'},
    {reason: 'a program', cause: 'spawn helper ENOENT', want: 'program not found'},
    {
      reason: 'OpenSSL',
      cause:
        'write EPROTO 40E7:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../x.c:1586:',
      want: 'ssl/tls alert handshake failure',
    },
    {reason: 'an answer about JSON', cause: status('the JSON is denied'), want: status('the JSON is denied')},
    {reason: 'a program', cause: 'the helper printed no JSON', want: 'the helper printed no JSON'},
    {reason: 'a text that the message lacks', cause: status('DENIED'), want: status('DENIED')},
    {
      reason: 'the reason of an authorizer',
      cause: status(`${USER}: RBAC: role.rbac.authorization.k8s.io "x" not found`),
      want: status(`${USER}: RBAC: role.rbac.authorization.k8s.io "x" not found`),
    },
  ])('is told in plain words for $reason', ({cause, want}) => {
    expect(unsaidCause('cannot do it', cause)).toBe(want)
  })

  it('is no cause without one', () => {
    expect(unsaidCause('cannot do it', undefined)).toBeUndefined()
  })
})

describe('the output of git', () => {
  const hook = [
    'To ../r.git',
    '!\tabc:refs/heads/main\t[remote rejected] (pre-receive hook declined)',
    'Done',
    'remote: policy: no',
  ]
  const pushed = "error: failed to push some refs to '../r.git'"
  it.each([
    {name: 'is not repeated', lines: [...hook, pushed], want: undefined},
    {name: 'has the other lines of a hook', lines: [...hook, 'remote: see x', pushed], want: 'see x'},
  ])('$name', ({lines, want}) => {
    const message = 'cannot push to ../r.git: pre-receive hook declined: policy: no'
    expect(unsaidCause(message, lines.join('\n'))).toBe(want)
  })
})
