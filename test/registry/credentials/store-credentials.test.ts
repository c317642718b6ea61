import {describe, expect, it} from '@jest/globals'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {delimiter, join} from 'node:path'
import {credentialHelpers} from '../../../src/adapters/credentials/credential-helpers.js'
import {credentialsFile} from '../../../src/adapters/credentials/credentials-file.js'
import {eraseCredentials, storeCredentials} from '../../../src/registry/credentials/store-credentials.js'
import {canary} from '../../canary.js'
import {outcome} from '../../outcome.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

const folder = temporaryFolder()
const account = {username: 'anna', password: canary('store')}
const entry = {auth: Buffer.from(`anna:${account.password}`).toString('base64')}
/** Keeps what it is given in one file. */
const HELPER = `case "$1" in
store) cat > '${folder}/kept';;
get) [ -f '${folder}/kept' ] && cat '${folder}/kept' || { echo credentials not found in native keychain; exit 1; };;
erase) cat > '${folder}/erased'; rm '${folder}/kept';;
esac`
writeTree(folder, {
  'docker-credential-keeps': `#!/bin/sh\n${HELPER}\n`,
  'docker-credential-fails': '#!/bin/sh\nexit 1\n',
})
for (const name of ['keeps', 'fails']) chmodSync(join(folder, `docker-credential-${name}`), 0o755)

const env = {PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`}
const at = (path: string) => ({files: [credentialsFile(path)], helpers: credentialHelpers({env})})
const written = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

let files = 0
function config(content?: unknown): string {
  const name = `folder-${(files += 1)}/config.json`
  if (content !== undefined) writeTree(folder, {[name]: JSON.stringify(content)})
  return join(folder, name)
}

describe('storing credentials', () => {
  it.each([
    {
      name: 'a new file',
      reason: 'the first login',
      registry: 'r.io',
      before: undefined,
      want: {auths: {'r.io': entry}},
    },
    {
      name: 'existing content',
      reason: 'docker needs it',
      registry: 'r.io',
      before: {psFormat: 'x', auths: {'q.io': {auth: 'abc', email: 'y'}}, plugins: {a: {b: 'c'}}},
      want: {
        psFormat: 'x',
        auths: {'q.io': {auth: 'abc', email: 'y'}, 'r.io': entry},
        plugins: {a: {b: 'c'}},
      },
    },
    {
      name: 'what it was before',
      reason: 'one entry for one registry',
      registry: 'r.io',
      before: {auths: {'https://r.io/v2/': {auth: 'abc'}, 'r.io:5000': {}}},
      want: {auths: {'r.io:5000': {}, 'r.io': entry}},
    },
    {
      name: 'docker.io',
      reason: 'by its old name',
      registry: 'docker.io',
      before: {},
      want: {auths: {'https://index.docker.io/v1/': entry}},
    },
  ])('$name: $reason', async ({registry, before, want}) => {
    const path = config(before)
    expect(await storeCredentials(at(path), registry, account)).toEqual({kind: 'file', path})
    expect({document: written(path), mode: statSync(path).mode & 0o777}).toEqual({
      document: want,
      mode: 0o600,
    })
    expect(await eraseCredentials(at(path), registry)).toBe(true)
    expect(await eraseCredentials(at(path), registry)).toBe(false)
    expect(readFileSync(path, 'utf8')).not.toContain(entry.auth)
  })

  it('a link stays a link, wherever it leads', async () => {
    for (const target of [config({auths: {}}), config({}).replace('config', 'absent')]) {
      const path = join(folder, `link-${(files += 1)}`)
      symlinkSync(target, path)
      await storeCredentials(at(path), 'r.io', account)
      const {mode} = statSync(target)
      expect({link: lstatSync(path).isSymbolicLink(), document: written(target), mode: mode & 0o777}).toEqual(
        {
          link: true,
          document: {auths: {'r.io': entry}},
          mode: 0o600,
        },
      )
    }
  })

  it('the secret is stored in a helper and removed from the file', async () => {
    const path = config({credHelpers: {'r.io': 'keeps'}, auths: {'r.io': entry}})
    expect(await storeCredentials(at(path), 'r.io', account)).toEqual({kind: 'helper', name: 'keeps'})
    expect(written(path)).toEqual({credHelpers: {'r.io': 'keeps'}, auths: {'r.io': {}}})
    expect(written(join(folder, 'kept'))).toEqual({
      ServerURL: 'r.io',
      Username: 'anna',
      Secret: account.password,
    })
    expect(await eraseCredentials(at(path), 'r.io')).toBe(true)
    expect(readFileSync(join(folder, 'erased'), 'utf8')).toBe('r.io')
    expect(written(path)).toEqual({credHelpers: {'r.io': 'keeps'}, auths: {}})
    expect(await eraseCredentials(at(path), 'r.io')).toBe(false)
  })

  it.each([
    {
      name: 'a helper that fails',
      reason: 'the file is not a fallback',
      content: {credsStore: 'fails', auths: {}},
    },
    {name: 'a helper that is missing', reason: 'the same', content: {credsStore: 'missing'}},
    {name: 'a file that is not a config', reason: 'it is not overwritten', content: ['something']},
  ])('$name: $reason', async ({content}) => {
    const path = config(content)
    expect(await outcome(() => storeCredentials(at(path), 'r.io', account))).toBe('credentials-failed')
    expect(written(path)).toEqual(content)
  })

  it('a folder in place of the file is an error that names it', async () => {
    const path = join(folder, 'a-folder')
    mkdirSync(path)
    expect(await outcome(() => storeCredentials(at(path), 'r.io', account))).toBe('credentials-failed')
  })
})

describe('storing and erasing credentials in several files', () => {
  const both = (podman: string, docker: string) => ({
    files: [credentialsFile(podman), credentialsFile(docker)],
    helpers: credentialHelpers({env}),
  })

  it("stores in docker's file, the last one, unless an earlier one would hide it", async () => {
    const [podman, docker] = [config({auths: {'q.io': entry}}), config()]
    expect(await storeCredentials(both(podman, docker), 'r.io', account)).toEqual({
      kind: 'file',
      path: docker,
    })
    expect(await storeCredentials(both(podman, docker), 'q.io', account)).toEqual({
      kind: 'file',
      path: podman,
    })
    expect(written(docker)).toEqual({auths: {'r.io': entry}})
  })

  it('erases in all files', async () => {
    const paths = [config({auths: {'r.io': entry}}), config({auths: {'r.io': entry, 'q.io': entry}})] as const
    expect(await eraseCredentials(both(...paths), 'r.io')).toBe(true)
    expect(paths.map(written)).toEqual([{auths: {}}, {auths: {'q.io': entry}}])
    expect(await eraseCredentials(both(...paths), 'r.io')).toBe(false)
  })
})

describe('an interrupted write', () => {
  it('leaves a file that the next write removes', async () => {
    const path = config({auths: {}})
    const abandoned = `${join(path, '..')}/.config.json.0123456789abcdef.tmp`
    const fresh = `${join(path, '..')}/.config.json.fedcba9876543210.tmp`
    writeFileSync(abandoned, account.password)
    writeFileSync(fresh, account.password)
    utimesSync(abandoned, 1, 1)
    await storeCredentials(at(path), 'r.io', account)
    expect(readdirSync(join(path, '..')).sort()).toEqual(['.config.json.fedcba9876543210.tmp', 'config.json'])
  })
})
