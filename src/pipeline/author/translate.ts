import {translatePackage} from '../../author/translate/translate-package.js'
import type {Translated} from '../../author/translate/translated.js'
import {convertCrd} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {WritableFolder} from '../../fetch/output-files.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {expectFormat} from '../../locate/expect-format.js'
import {locatePackage} from '../../locate/locate-package.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {parsePackageImage, parsePackageReference} from '../../reference/package-reference.js'
import {ERAS} from '../../render/era.js'
import {installPart, setOf} from '../../render/render-part.js'
import {resolveRequest} from '../../render/resolve-install.js'
import {present} from '../../present.js'
import {readPackage} from '../../unpack/read-package.js'
import {derivedName} from '../../xpkg/package-name.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {expectNew, type FileToWrite, writeAll} from './new-files.js'

/** A package of 2020 to translate. */
export interface TranslateQuery {
  readonly reference: string
  readonly asPackage?: string
  /** The repository and tag under which the translated package will be pushed. */
  readonly target: string
  /** The namespace of Crossplane. */
  readonly namespace: string
}

/** The written files, by path from the folder, and what could not be carried over. */
export interface TranslateReport {
  readonly writtenPaths: readonly string[]
  readonly notes: readonly Diagnostic[]
}

const PACKAGE_FOLDER = 'package'
const INSTALL_FILE = 'install.yaml'

/**
 * Translates a package into the folder of a package for a current Crossplane and the objects that install it. Throws
 * `output-refused` before the first write if one of the files exists, `usage` for a target that Crossplane rejects.
 */
export async function translate(
  query: TranslateQuery,
  folder: WritableFolder,
  ports: PackagePorts,
): Promise<TranslateReport> {
  const {metadata, crds, objects, notes} = await translated(query, ports)
  const files: FileToWrite[] = [
    {path: `${PACKAGE_FOLDER}/crossplane.yaml`, text: writeYaml([metadata])},
    ...crds.map(crd => ({path: `${PACKAGE_FOLDER}/crds/${crd.metadata.name}.yaml`, text: writeYaml([crd])})),
    {path: INSTALL_FILE, text: writeYaml(objects)},
  ]
  await expectNew(files, folder, 'Use another folder, or move these files.')
  return {writtenPaths: await writeAll(files, folder), notes}
}

async function translated(query: TranslateQuery, ports: PackagePorts): Promise<Translated> {
  const target = targetOf(query.target)
  const {namespace, asPackage} = query
  const options = {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
  const located = expectFormat(await locatePackage(parsePackageReference(query.reference), options), 'stack')
  const read = readPackage(located.name, located.files, located.folder)
  const {install, warnings} = resolveRequest(CHOICES.era, located, read, {
    ...PARAMETERS,
    namespace,
    systemNamespace: namespace,
  })
  const set = setOf(
    CHOICES,
    [installPart(CHOICES.era, install, {mode: 'requested', for: {}}, CHOICES)],
    warnings,
  )
  return translatePackage({
    package: read,
    set,
    crds: read.crds.map(({object}) => ownCrd(object)),
    target: formatImageName(target),
    name: derivedName(`${target.registry}/${target.path}`),
    namespace,
  })
}

const PARAMETERS = {imagePullSecrets: [], serviceAccountAnnotations: {}, pin: true}

const CHOICES = {
  era: ERAS.packages,
  base: false,
  pin: true,
  createNamespace: false,
  includeRequest: false,
  allowCorePermissions: true,
  allowFullDeployment: true,
  crds: {apiVersion: 'v1', nonStructural: 'preserve'},
} as const

/** A schema without a structural form accepts everything: rendering reports it. */
function ownCrd(object: KubernetesObject): KubernetesObject {
  return convertCrd(object, {nonStructural: 'preserve'}).crd
}

/** Crossplane takes only references with a registry, whose name has a dot, and a tag. */
function targetOf(text: string): ImageName & {readonly tag: string} {
  const name = parsePackageImage(text)
  const {registry, tag, digest} = name
  if (registry?.split(':')[0]?.includes('.') === true && tag !== undefined && digest === undefined)
    return {...name, ...present({tag}), tag}
  throw new CrossplaneError(
    'usage',
    `invalid --target ${quoted(text)}: must be HOST/PATH:TAG, with a dot in HOST`,
    {suggestions: ['Write a reference such as registry.example.org/team/provider-sql:v0.1.0.']},
  )
}
