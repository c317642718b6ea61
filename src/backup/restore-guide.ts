import {count, escaped, shellWord} from '../text.js'
import {CRD_FOLDER, pathSegment, type RecordFolder} from './backup-paths.js'

/** The content of a backup, for the user who restores it. */
export interface BackupContent {
  /** The names of what is removed. */
  readonly installs: readonly string[]
  readonly records: readonly RecordFolder[]
  /** Commands that install the packages again, in order. */
  readonly reinstall: readonly string[]
  readonly kinds: readonly BackedUpKind[]
  /** The namespaces of the instances. */
  readonly namespaces: readonly string[]
  /** The Secrets that instances refer to, as NAMESPACE/NAME. */
  readonly secrets: readonly string[]
}

/** The instances of a CRD in a backup. */
export interface BackedUpKind {
  /** The name of the CRD. */
  readonly crd: string
  readonly instances: number
}

/** Writes the README of a backup, in Markdown. */
export function restoreGuide(content: BackupContent): string {
  const {installs, records, reinstall, kinds, namespaces, secrets} = content
  const filled = kinds.filter(({instances}) => instances > 0)
  return `${[
    `# Backup of ${installs.map(code).join(', ')}`,
    'Written before the uninstall. This file is written last: a backup without it is incomplete.',
    table(kinds),
    'The status of a custom resource is next to it, in `NAME.status.yaml`, as comments that kubectl skips. It also has the finalizers and owner references, which are not restored. Fields that a server sets are left out.',
    contents(records),
    '## Restoring',
    'Run these steps in this order, in this folder:',
    '1. Create the Namespaces that no longer exist.',
    list(namespaces, 'The custom resources are not in a Namespace.'),
    '2. Create the Secrets that the custom resources refer to. They are not in this backup.',
    list(secrets, 'The custom resources refer to no Secrets.'),
    `3. Install the package, which creates the CRDs. If it is not available: \`kubectl create --filename ${CRD_FOLDER}\``,
    block(reinstall, 'No install command is known.'),
    '4. Restore the custom resources. Their controller takes over the external resources that annotations such as `crossplane.io/external-name` name; where the status had an external ID, set it first.',
    block(filled.length === 0 ? [] : [createCommand(filled)], 'No custom resources were backed up.'),
  ].join('\n\n')}\n`
}

function contents(records: readonly RecordFolder[]): string {
  const folders = records.map(folder => `, ${code(`${folder}/`)} ${RECORDS[folder]}`)
  return `${code(`${CRD_FOLDER}/`)} has the CRDs${folders.join('')}: all of them for reference, since installing the package creates them.`
}

const RECORDS: Readonly<Record<RecordFolder, string>> = {
  inventory: 'the inventory of the install',
  requests: 'the requests for the packages',
}

function table(kinds: readonly BackedUpKind[]): string {
  const rows = kinds.map(
    ({crd, instances}) => `| ${code(`${pathSegment(crd)}/`)} | ${count(instances, 'custom resource')} |`,
  )
  return ['| folder | content |', '|---|---|', ...rows].join('\n')
}

function createCommand(kinds: readonly BackedUpKind[]): string {
  const files = kinds.map(({crd}) => `--filename ${shellWord(pathSegment(crd))}`)
  return `kubectl create --recursive ${files.join(' ')}`
}

function list(names: readonly string[], otherwise: string): string {
  if (names.length === 0) return `   ${otherwise}`
  return [...names]
    .sort()
    .map(name => `   - ${code(name)}`)
    .join('\n')
}

function block(commands: readonly string[], otherwise: string): string {
  return commands.length === 0 ? `   ${otherwise}` : ['```sh', ...commands.map(escapedLine), '```'].join('\n')
}

/** Names come from a cluster: no name may end the code that it is in. */
function code(text: string): string {
  return `\`${escaped(text).replaceAll('`', '\\u0060')}\``
}

function escapedLine(command: string): string {
  return command.replaceAll(/[\n\r]/g, ' ')
}
