import {API_VERSION} from '../api-version.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {readRequestedObject} from '../pipeline/cluster/requested-object.js'
import type {InstallQuery} from '../pipeline/cluster/install.js'
import type {GivenChoices} from '../package/given-choices.js'
import type {EraName} from '../reference/era-name.js'
import {isIndexFile} from '../reference/index-file-name.js'
import {SYSTEM_NAMESPACE} from '../reference/instance-name.js'
import {sourceParts} from '../reference/image-source.js'
import type {InputFile} from '../render/written-input.js'
import {asObject, type JsonObject} from '../yaml/json-value.js'
import {readPolicyFile} from '../declaration/policy/read-policy.js'
import {readYaml} from '../yaml/read-yaml.js'
import {writeYaml} from '../yaml/write-yaml.js'
import type {FlagValues} from '../cli/shell/flags/flag-values.js'
import type {installerFlags} from './installer-flags.js'
import {indexNames} from '../cli/sources/index-name.js'
import {givenChoices} from '../cli/render/render-query.js'
import {resolutionSettings} from '../cli/declaration/resolution-settings.js'

/** The values of `installerFlags`. */
export type InstallerFlags = FlagValues<typeof installerFlags>

/** The ConfigMap in the namespace of an installer that has its policy. */
export const POLICY_MAP = 'kubectl-crossplane-policy'

/** The name of the policy in messages. Paths in a policy are relative to its file: this name must be of no folder. */
const POLICY_NAME = `ConfigMap ${POLICY_MAP}`

/** At least one. */
export type RequestObjects = readonly [KubernetesObject, ...KubernetesObject[]]

/** The query for the installs that request objects of one era and namespace request. Throws `input-invalid`, `usage`. */
export function installerQuery(
  [object, ...others]: RequestObjects,
  flags: InstallerFlags,
): Pick<InstallQuery, 'render' | 'choices'> {
  const {era, requested: first} = readRequestedObject(object)
  const requested = [first, ...others.map(other => readRequestedObject(other).requested)]
  const settings = resolutionSettings(resolutionFlags(flags), new Set())
  const {namespace} = first
  const chosen = installerChoices(era, flags)
  return {
    render: {
      kind: 'resolution',
      query: {kind: 'install', requested, settings: {...settings, contextNamespace: namespace}},
    },
    choices: {...chosen, withPackages: true},
  }
}

/** How an installer renders the objects of an era. */
export function installerChoices(era: EraName, flags: InstallerFlags): GivenChoices {
  return givenChoices(
    {
      ...resolutionFlags(flags),
      ...{
        api: era,
        'with-package-api': false,
        'create-namespace': false,
        'include-request': false,
        'no-pin-image': false,
      },
      ...{'non-structural': 'refuse', 'templates-from': undefined},
    },
    new Set(['api']),
  )
}

function resolutionFlags(flags: InstallerFlags) {
  const others = {'allow-version-mismatch': false, 'dependency-namespace': undefined}
  return {...flags, ...others, policy: POLICY_NAME, assume: []}
}

/** The policy that an installer follows, and whether no registry is contacted. */
export interface InstallerPolicy {
  readonly file: InputFile
  readonly isOffline: boolean
}

/**
 * Returns the policy of an installer. One that names no sources, or none at all, allows only those that the flags name; the
 * content of a folder is allowed, but then no registry is contacted. Throws `input-invalid`.
 */
export function installerPolicy(flags: InstallerFlags, bytes: Uint8Array | undefined): InstallerPolicy {
  const name = POLICY_NAME
  const policy = bytes === undefined ? undefined : readPolicyFile(name, bytes)
  if (bytes !== undefined && policy?.sources !== undefined) return {file: {name, bytes}, isOffline: false}
  const named = [flags['default-source'], ...indexNames(flags).filter(index => !isIndexFile(index))]
  const sources = [...new Set(named.flatMap(source => hostOf(source ?? '') ?? []))]
  const isOffline = sources.length === 0
  const allowed: JsonObject = isOffline && flags.packages !== undefined ? {} : {sources}
  const before = bytes === undefined ? {} : asObject(readYaml(bytes, name)[0]?.value)
  const content = {apiVersion: API_VERSION, kind: 'Policy', ...before, ...allowed}
  return {file: {name, bytes: Buffer.from(writeYaml([content]))}, isOffline}
}

function hostOf(source: string): string | undefined {
  return sourceParts(source)?.registry
}

/** The namespace of Cluster packages, and of the installer itself. */
export function systemNamespaceOf(flags: Pick<InstallerFlags, 'system-namespace'>): string {
  return flags['system-namespace'] ?? SYSTEM_NAMESPACE
}
