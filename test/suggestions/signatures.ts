import {join} from 'node:path'
import {keyHash} from '../../src/signatures/public-key.js'
import {fixture} from '../commands/fixtures.js'
import {newKeys} from '../signatures/signed-images.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import type {SuggestionCase} from './suggestion-case.js'

const {pem, privateKey} = newKeys()
const HASH = `sha256:${'a'.repeat(64)}`
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'

const folder = writeTree(temporaryFolder(), {
  'locked/crossplane-packages.yaml': `${API}kind: PackageDeclaration
policy: policy.yaml
packages: [{package: "registry.example.org/team/app:v1", namespace: a}]
`,
  'locked/policy.yaml': `${API}kind: Policy
signatures: [{repositories: [registry.example.org], signers: [{keyFile: ../public.pem}]}]
`,
  'locked/crossplane-packages.lock': `${API}kind: PackageLock
formatVersion: 1
packages:
  registry.example.org/team/app:
    digest: ${HASH}
    installs: {a/team-app: {mode: requested}}
    signatures:
    - digest: ${HASH}
      predicateType: https://sigstore.dev/cosign/sign/v1
      signer: {key: "${keyHash(pem)}"}
    summaryHash: ${HASH}
    tag: v1
    version: v1
renderVersion: 3
requestHash: ${HASH}
`,
  'not-a-key': 'text',
  'not-a-root.json': '{}',
  'not-a-token': 'text',
  token: `e30.${Buffer.from('{"sub":"a"}').toString('base64url')}.AAAA`,
  'public.pem': pem,
  'plain.key': privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
  'encrypted.key': '-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END ENCRYPTED PRIVATE KEY-----\n',
  'policy.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: Policy
signatures:
- repositories: [registry.example.org]
  signers:
  - key: |
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERSXEJCvn2JXmeLT7zeUC/PKNbBPc
      xtyF/c7A7YHGs8qaHM4i+1A0i/lVNA+ZMv78z6Xc9k8RiaqlhsVAK/mYSg==
      -----END PUBLIC KEY-----
`,
})
const at = (path: string) => join(folder, path)
const verify = (...flags: readonly string[]) => [
  'package',
  'verify',
  'registry.example.org/team/app:v1',
  ...flags,
]

const push = (...flags: readonly string[]) => [
  ...['package', 'push', 'registry.example.org/team/app', fixture('cli-database')],
  ...flags,
]

export const CASES: readonly SuggestionCase[] = [
  {name: 'a package without a trusted signer', in: verify()},
  {
    name: 'signatures of a lock that cannot be read',
    in: [
      ...['package', 'render', '--declaration', at('locked/crossplane-packages.yaml')],
      ...['--locked', '--offline', '--cache-dir', at('cache')],
    ],
    want: [
      'Leave out --offline.',
      'To use what the lock records without reading signatures, pass --trust-lock.',
    ],
  },
  {name: 'a key that is none', in: verify('--key', at('not-a-key'))},
  {
    name: 'a root that is none',
    in: verify('--key', at('not-a-key'), '--trusted-root', at('not-a-root.json')),
  },
  {name: 'an encrypted key without a password', in: push('--sign-key', at('encrypted.key'))},
  {
    name: 'a command without a program',
    in: push('--sign-command', ' ', '--public-key', at('public.pem')),
  },
  {name: 'an identity token that is none', in: push('--identity-token', at('not-a-token'))},
  {
    name: 'an identity token in place of its file',
    in: push('--identity-token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.x'),
  },
  {
    name: 'a certificate authority without an address',
    in: push('--identity-token', at('token'), '--fulcio-url', 'fulcio'),
  },
  {name: 'provenance without a key', in: push('--provenance')},
  {
    name: 'a builder that is no URI',
    in: push('--sign-key', at('plain.key'), '--provenance', '--builder', 'me'),
  },
  {
    name: 'a package that is not signed',
    in: [
      ...[
        'package',
        'render',
        fixture('cli-database'),
        '--as-package',
        'registry.example.org/team/app:v0.2.0',
      ],
      ...['--policy', at('policy.yaml')],
    ],
  },
]
