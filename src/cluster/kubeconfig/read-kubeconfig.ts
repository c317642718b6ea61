import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import {escaped, quoted} from '../../text.js'
import {type FieldPath, formatPath, isJsonObject} from '../../yaml/json-value.js'
import {readYaml, type YamlDocument} from '../../yaml/read-yaml.js'
import {FieldReader} from './field-reader.js'
import type {
  AuthProvider,
  ClusterEntry,
  ContextEntry,
  ExecPlugin,
  Kubeconfig,
  Origin,
  UserEntry,
} from './kubeconfig.js'
import {invalidKubeconfig, type KubeconfigFieldError} from './kubeconfig-error.js'

/** A kubeconfig as it was read. */
export interface KubeconfigFile {
  /** As the user named it. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Resolves a path in the file against its folder. */
  resolve(path: string): string
}

/** The configuration of a file that has none. */
const EMPTY_KUBECONFIG: Kubeconfig = {
  currentContext: '',
  contexts: new Map(),
  clusters: new Map(),
  users: new Map(),
}

/** Reads a kubeconfig with the types of kubectl. Throws `input-invalid`, with all errors that are not YAML's. */
export function readKubeconfig(file: KubeconfigFile): Kubeconfig {
  const [document] = documentsOf(file)
  if (document === undefined) return EMPTY_KUBECONFIG
  const errors: KubeconfigFieldError[] = []
  const report = (path: FieldPath, message: string) => {
    const origin = {file: file.path, line: document.lineOf(path)}
    errors.push({origin, message: path.length === 0 ? message : `${formatPath(path)} ${message}`})
  }
  if (!isJsonObject(document.value)) report([], 'it must be an object')
  const root = new FieldReader(isJsonObject(document.value) ? document.value : {}, [], report)
  checkKind(root)
  const config = new KubeconfigReader(file, document).read(root)
  if (errors.length > 0) throw invalidKubeconfig(errors, `Fix ${escaped(file.path)}.`)
  return config
}

/** The message of a syntax error may quote a part of a secret, so only its line is used. */
function documentsOf({path, bytes}: KubeconfigFile): readonly YamlDocument[] {
  try {
    return readYaml(bytes, path)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const line = error.diagnostics[0]?.line
    const origin = {file: path, ...present({line})}
    throw invalidKubeconfig([{origin, message: 'not valid YAML'}], `Fix the syntax of ${escaped(path)}.`)
  }
}

function checkKind(root: FieldReader): void {
  const [kind, apiVersion] = [root.text('kind'), root.text('apiVersion')]
  if (kind !== '' && kind !== 'Config') root.report('must be Config', 'kind')
  if (apiVersion !== '' && apiVersion !== 'v1') root.report('must be v1', 'apiVersion')
}

class KubeconfigReader {
  readonly #file: KubeconfigFile
  readonly #document: YamlDocument

  constructor(file: KubeconfigFile, document: YamlDocument) {
    this.#file = file
    this.#document = document
  }

  read(root: FieldReader): Kubeconfig {
    return {
      currentContext: root.text('current-context'),
      contexts: byName(root.objects('contexts'), entry => this.#context(entry)),
      clusters: byName(root.objects('clusters'), entry => this.#cluster(entry)),
      users: byName(root.objects('users'), entry => this.#user(entry)),
    }
  }

  #context(entry: FieldReader): ContextEntry {
    const context = fieldsOf(entry, 'context')
    return {
      origin: this.#originOf(entry),
      cluster: context.text('cluster'),
      user: context.text('user'),
      namespace: context.text('namespace'),
    }
  }

  #cluster(entry: FieldReader): ClusterEntry {
    const cluster = fieldsOf(entry, 'cluster')
    return {
      origin: this.#originOf(entry),
      server: cluster.text('server'),
      tlsServerName: cluster.text('tls-server-name'),
      insecureSkipTlsVerify: cluster.isTrue('insecure-skip-tls-verify'),
      certificateAuthority: this.#path(cluster, 'certificate-authority'),
      certificateAuthorityData: cluster.decoded('certificate-authority-data'),
      proxyUrl: cluster.text('proxy-url'),
      disableCompression: cluster.isTrue('disable-compression'),
      execConfig: execConfigOf(cluster),
    }
  }

  #user(entry: FieldReader): UserEntry {
    const user = fieldsOf(entry, 'user')
    const [authProvider, exec] = [user.object('auth-provider'), user.object('exec')]
    return {
      origin: this.#originOf(entry),
      clientCertificate: this.#path(user, 'client-certificate'),
      clientCertificateData: user.decoded('client-certificate-data'),
      clientKey: this.#path(user, 'client-key'),
      clientKeyData: user.decoded('client-key-data'),
      token: user.text('token'),
      tokenFile: this.#path(user, 'tokenFile'),
      username: user.text('username'),
      password: user.text('password'),
      impersonate: {
        user: user.text('as'),
        uid: user.text('as-uid'),
        groups: user.texts('as-groups'),
        extra: user.textLists('as-user-extra'),
      },
      ...(authProvider && {authProvider: authProviderOf(authProvider)}),
      ...(exec && {exec: this.#exec(exec)}),
    }
  }

  #exec(exec: FieldReader): ExecPlugin {
    const [command, apiVersion] = [exec.text('command'), exec.text('apiVersion')]
    const mode = exec.text('interactiveMode')
    return {
      command: command.includes('/') ? this.#file.resolve(command) : command,
      args: exec.texts('args'),
      env: exec.objects('env').map(reader => ({name: reader.text('name'), value: reader.text('value')})),
      apiVersion,
      installHint: exec.text('installHint'),
      provideClusterInfo: exec.isTrue('provideClusterInfo'),
      interactiveMode: mode === '' && OPTIONAL_MODE.test(apiVersion) ? 'IfAvailable' : mode,
    }
  }

  #path(fields: FieldReader, name: string): string {
    const path = fields.text(name)
    return path === '' ? '' : this.#file.resolve(path)
  }

  #originOf({path}: FieldReader): Origin {
    return {file: this.#file.path, line: this.#document.lineOf(path)}
  }
}

/** Newer versions require the mode. */
const OPTIONAL_MODE = /^client[.]authentication[.]k8s[.]io\/v1(?:alpha|beta)1$/

function fieldsOf(entry: FieldReader, name: string): FieldReader {
  return entry.object(name) ?? new FieldReader({}, [...entry.path, name], () => undefined)
}

function authProviderOf(provider: FieldReader): AuthProvider {
  return {name: provider.text('name'), config: provider.textMap('config')}
}

/** The extension whose content is for exec plugins. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec'

function execConfigOf(cluster: FieldReader): ClusterEntry['execConfig'] {
  const own = cluster.objects('extensions').find(reader => reader.text('name') === EXEC_EXTENSION)
  return own?.value('extension') ?? null
}

/** Names are unique within a file; kubectl rejects it otherwise. */
function byName<Entry>(
  entries: readonly FieldReader[],
  read: (entry: FieldReader) => Entry,
): ReadonlyMap<string, Entry> {
  const map = new Map<string, Entry>()
  for (const entry of entries) {
    const name = entry.text('name')
    if (map.has(name)) entry.report(`has the name ${quoted(name)} of another entry`)
    else map.set(name, read(entry))
  }
  return map
}
