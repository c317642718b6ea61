import {afterAll, beforeEach, describe, expect, it} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../../run-cli.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {allCommands} from './all-commands.js'

const page = readFileSync(join(import.meta.dirname, '../../../docs/environment.md'), 'utf8')
/** The flag of each variable, as the page lists them. */
const DOCUMENTED = [
  ...page.matchAll(/^\| `((?:CROSSPLANE|TEMPLATING_CONTROLLER)_\w+)` \| `--([\w-]+)` \|/gm),
].map(([, variable = '', flag = '']) => ({variable, flag}))

const folder = writeTree(temporaryFolder(), {'packages/README': ''})
const pem = join(folder, 'some.pem')
writeFileSync(pem, '')
/** A valid value of each variable. */
const VALUES: Readonly<Record<string, string>> = {
  CROSSPLANE_API: 'stacks',
  CROSSPLANE_CACHE_DIR: join(folder, 'cache'),
  CROSSPLANE_CA_FILE: pem,
  CROSSPLANE_CLIENT_CERT: pem,
  CROSSPLANE_CLIENT_KEY: pem,
  CROSSPLANE_INDEX: 'r.example.org/index',
  CROSSPLANE_KUBE_VERSION: '1.20',
  CROSSPLANE_MIRRORS: 'r.example.org=m.example.org',
  CROSSPLANE_OFFLINE: 'true',
  CROSSPLANE_PACKAGES_BASE: join(folder, 'base.tar'),
  CROSSPLANE_PACKAGES: join(folder, 'packages'),
  CROSSPLANE_PLATFORM: 'linux/arm64',
  CROSSPLANE_REQUEST_SOURCE: 'r.example.org',
  CROSSPLANE_SOLVE_TIMEOUT: '10s',
  CROSSPLANE_SOURCE: 'r.example.org',
  CROSSPLANE_SYSTEM_NAMESPACE: 'packages',
  CROSSPLANE_VERSION: 'v0.11',
  TEMPLATING_CONTROLLER_RESOURCES_DIR: folder,
  TEMPLATING_CONTROLLER_STACK_DEFINITION_NAME: 'my-app',
  TEMPLATING_CONTROLLER_STACK_DEFINITION_NAMESPACE: 'team-a',
}

/** A valid value of each variable without a flag; those of the connection to a cluster or a Pod are empty. */
const FLAGLESS: Readonly<Record<string, string>> = {
  COLUMNS: '40',
  COSIGN_PASSWORD: '',
  CROSSPLANE_WAIT_NOTICE: '2',
  DOCKER_CONFIG: folder,
  GITHUB_API_URL: 'https://127.0.0.1:1',
  GITHUB_REPOSITORY: 'team/platform',
  GITHUB_TOKEN: 'none',
  GITHUB_WORKSPACE: folder,
  HOME: folder,
  HTTPS_PROXY: 'http://127.0.0.1:1',
  HTTP_PROXY: 'http://127.0.0.1:1',
  KUBECONFIG: join(folder, 'none'),
  KUBECTL_EXTERNAL_DIFF: 'diff -u',
  KUBERNETES_SERVICE_HOST: '',
  KUBERNETES_SERVICE_PORT: '',
  NODE_EXTRA_CA_CERTS: pem,
  NO_COLOR: '1',
  NO_PROXY: 'example.org',
  REGISTRY_AUTH_FILE: join(folder, 'none'),
  SOURCE_DATE_EPOCH: '0',
  SSL_CERT_FILE: pem,
  TERM: 'dumb',
  TMPDIR: folder,
  XDG_CACHE_HOME: folder,
  XDG_RUNTIME_DIR: folder,
}
/** The variables of the page that have no flag. */
const [, others = ''] = page.split('## Variables of other programs')
const WITHOUT_FLAG = [
  'CROSSPLANE_WAIT_NOTICE',
  ...[...others.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  ),
].sort()

const before = {...process.env}
const unset = () => {
  for (const {variable} of DOCUMENTED) Reflect.deleteProperty(process.env, variable)
  for (const name of WITHOUT_FLAG) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = before[name]
  }
}
beforeEach(unset)
afterAll(() => {
  unset()
  Object.assign(process.env, before)
})

const commands = await allCommands()
const pairs = commands.flatMap(command => DOCUMENTED.map(each => ({...each, id: command.id, command})))

describe('environment variables', () => {
  it('have a valid value here', () => {
    expect(Object.keys(VALUES)).toEqual(DOCUMENTED.map(({variable}) => variable))
    expect(Object.keys(FLAGLESS).sort()).toEqual(WITHOUT_FLAG)
  })

  it.each(pairs)('$variable sets only --$flag of $id', async ({variable, flag, command}) => {
    const words = [...command.required, ...command.arguments]
    const without = await command.parse(words)
    process.env[variable] = VALUES[variable] ?? ''
    const parsed = await command.parse(words)
    const hasFlag = command.flags.some(([name, {env}]) => name === flag && env === variable)
    const {[flag]: value, ...others} = flagsIn(parsed)
    const {[flag]: own, ...ownOthers} = flagsIn(without)
    expect({...parsed, flags: others}).toEqual({...without, flags: ownOthers})
    expect(value).toEqual(hasFlag ? (variable === 'CROSSPLANE_OFFLINE' ? true : VALUES[variable]) : own)
  })

  it.each(commands)('without a flag change no word of $id', async ({required, arguments: args, parse}) => {
    const words = [...required, ...args]
    const without = await parse(words)
    for (const name of WITHOUT_FLAG) {
      process.env[name] = FLAGLESS[name] ?? ''
      expect({name, parsed: await parse(words)}).toEqual({name, parsed: without})
      unset()
    }
  })

  it.each(commands)('together are no usage error of $id', async ({id, arguments: args, required, flags}) => {
    const names = flags.map(([name]) => name)
    const local = [
      ...(names.includes('offline') ? ['--offline'] : []),
      ...(names.includes('kubeconfig') ? ['--kubeconfig', join(folder, 'none')] : []),
      ...(names.includes('output') ? ['-o', 'json'] : []),
      ...(names.includes('cache-dir') ? ['--cache-dir', join(folder, 'cache')] : []),
    ]
    // Folders that do not exist, so that a command that writes one fails or writes here.
    const words = args.map(each => (each === 'example/a' ? join(folder, 'none') : each))
    const forms = [words, ...(names.includes('git') ? [[...words, '--git', join(folder, 'none')]] : [])]
    for (const form of forms) {
      const run = async () => await runCli(...id.split(' '), ...form, ...required, ...local)
      unset()
      const without = await run()
      Object.assign(process.env, VALUES, FLAGLESS)
      const {status, stderr} = await run()
      const isUsage = status === 2 && without.status !== 2
      expect({id, form, isUsage, stderr}).toEqual({id, form, isUsage: false, stderr})
    }
  })
})

function flagsIn(parsed: object): Record<string, unknown> {
  return {...(parsed as {readonly flags?: Record<string, unknown>}).flags}
}
