import {convertCrd} from '../../crd/convert/convert-crd.js'
import {CrossplaneError} from '../../errors.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import type {SourceFile} from '../../fetch/source-files.js'
import {externalFields, objectProblem} from '../../author/init/service/external-object.js'
import {readService} from '../../author/init/service/read-service.js'
import {serviceCrds} from '../../author/init/service/service-crds.js'
import {
  invalidParts,
  parseKindName,
  SERVICE_FILE,
  type ServiceDefinition,
  type ServiceKindName,
  serviceText,
} from '../../author/init/service/service-definition.js'
import {serviceExamples} from '../../author/init/service/service-examples.js'
import {generatedFiles, SERVICE_MODULE} from '../../author/init/service/runner/runner-files.js'
import type {NewFile} from '../../author/init/scaffold.js'
import {quoted} from '../../text.js'
import type {CrdObject} from '../../unpack/crds.js'
import {isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {readYaml} from '../../yaml/read-yaml.js'
import type {PackageSources} from '../../locate/package-sources.js'
import {unlessAbsent} from './unless-absent.js'

/** A managed service to create a package for. */
export interface ServiceRequest extends ServiceKindName {
  /** `Kind.group/version`. */
  readonly claim: string
  /** Whether the package defines the claim, too. */
  readonly ownClaim?: boolean
  /** A file with an object of the provider's API. */
  readonly parameters?: string
  /** Also writes a project that runs the service, which depends on this version of this program. */
  readonly runner?: {readonly program: string}
}

/** Reads the definition of a new service. Throws `usage` for invalid names, `input-invalid` for invalid parameters. */
export async function newService(
  request: ServiceRequest,
  sources: PackageSources,
): Promise<ServiceDefinition> {
  const {kind, group, version, ownClaim = false, parameters} = request
  const claim = parseKindName(request.claim)
  const [invalid] = invalidParts(request)
  if (invalid !== undefined) throw invalidPart(invalid, request[invalid])
  if (claim === undefined) {
    throw new CrossplaneError('usage', `invalid claim ${quoted(request.claim)}`, {
      suggestions: [
        'Pass --claim KIND.GROUP/VERSION, for example MySQLInstance.database.crossplane.io/v1alpha1.',
      ],
    })
  }
  const object = parameters === undefined ? FIRST_PARAMETERS : await readParameters(parameters, sources)
  const service = {kind, group, version, claim, ownClaim, ...externalFields(object, kind)}
  expectDifferentKinds(service)
  return service
}

/** What a service without parameters begins with. */
const FIRST_PARAMETERS: JsonObject = {size: 1, $output: ['id']}

const EXAMPLES: Readonly<Record<keyof ServiceKindName, string>> = {
  kind: 'Pass --service with a name in CamelCase, for example FavoriteDatabase.',
  group: 'Pass --group with a DNS name, for example databases.example.org.',
  version: 'Pass --api-version with a version of an API, for example v1alpha1.',
}

function invalidPart(part: keyof ServiceKindName, value: string): CrossplaneError {
  return new CrossplaneError('usage', `invalid ${part} ${quoted(value)}`, {suggestions: [EXAMPLES[part]]})
}

async function readParameters(path: string, sources: PackageSources): Promise<JsonObject> {
  const [document] = readYaml(await bytesOf(await sources.file(path)), path)
  const object = document?.value
  const isObject = isJsonObject(object)
  const problem = isObject ? objectProblem(object) : 'it must contain one JSON object'
  if (isObject && problem === undefined) return object
  throw new CrossplaneError('input-invalid', `cannot read the parameters of ${path}: ${problem ?? ''}`)
}

async function bytesOf(file: SourceFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.read(0, SOURCE_LIMITS.fileBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function expectDifferentKinds(service: ServiceDefinition): void {
  const names = serviceCrds(service).map(({definition}) => `${definition.kind}.${definition.group}`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return
  throw new CrossplaneError('usage', `the package would define ${twice} twice`, {
    suggestions: ['Choose another name for --service or --claim.'],
  })
}

/** Reads the definition of an existing package. Throws `usage` if it has none, and `input-invalid`. */
export async function existingService(path: string, sources: PackageSources): Promise<ServiceDefinition> {
  const folder = await unlessAbsent(sources.directory(path))
  if (folder === undefined || (await folder.entry(SERVICE_FILE)).kind !== 'file') {
    throw new CrossplaneError('usage', `--update requires --from-crds, or a ${SERVICE_FILE} in ${path}`, {
      suggestions: ['Pass --from-crds with the folder of the CRDs, or create the package with --service.'],
    })
  }
  const service = readService(await folder.read(SERVICE_FILE, SOURCE_LIMITS.fileBytes))
  expectDifferentKinds(service)
  return service
}

/** Returns the CRDs of a service. Throws `input-invalid` if an API server would reject one. */
export function validCrds(service: ServiceDefinition): readonly CrdObject[] {
  const crds = serviceCrds(service)
  crds.forEach(expectValid)
  return crds
}

function expectValid({object, definition}: CrdObject): void {
  try {
    convertCrd(object, {nonStructural: 'refuse'})
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.diagnostics.length === 0) throw error
    throw new CrossplaneError(
      'input-invalid',
      `cannot create the CRD of ${definition.kind} from ${SERVICE_FILE}`,
      {
        diagnostics: error.diagnostics,
        suggestions: [`Correct forProvider or atProvider in ${SERVICE_FILE}, and run the command again.`],
      },
    )
  }
}

/** Returns the files of a service beside those of the package. */
export function serviceFiles(service: ServiceDefinition): readonly NewFile[] {
  return [{path: SERVICE_FILE, text: serviceText(service)}, ...serviceExamples(service)]
}

/** Returns the examples, and the generated files of a project if there is one, that differ from the existing files. */
export async function changedFiles(
  service: ServiceDefinition,
  folder: WritableFolder,
): Promise<readonly NewFile[]> {
  const changed: NewFile[] = []
  const hasProject = (await folder.file(SERVICE_MODULE)) !== undefined
  for (const file of [...serviceExamples(service), ...(hasProject ? generatedFiles(service) : [])]) {
    const existing = await folder.file(file.path)
    const text = existing === undefined ? undefined : Buffer.from(await bytesOf(existing)).toString()
    if (text !== file.text) changed.push(file)
  }
  return changed
}

/** Returns the entry of dependsOn that grants permissions on the claims and their status. */
export function claimDependency({claim, ownClaim}: ServiceDefinition): readonly string[] {
  return ownClaim ? [] : [`*.${claim.group}/${claim.version}`]
}
