import {metadataAnnotations} from '../../render/crds.js'
import type {Era} from '../../render/era.js'
import {filesAbove, metadataOf} from '../../unpack/crd-metadata.js'
import type {SourceCrd} from '../../unpack/crds.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {MetadataFiles} from '../../unpack/metadata-files.js'
import type {Examination} from '../../unpack/read-package.js'
import {directoryOf, type PackageFile} from '../../unpack/package-file.js'
import {writeYaml} from '../../yaml/write-yaml.js'

/**
 * Returns the files of a package whose CRDs carry their metadata files as annotations, without those metadata files:
 * they would apply twice, as ui-schemas, or to another CRD. In that era the package has the same meaning as before.
 * CRDs without metadata keep their bytes; the others are serialized again from their parsed content.
 */
export function bakeMetadata(
  files: readonly PackageFile[],
  {crds, metadata}: Pick<Examination, 'crds' | 'metadata'>,
  era: Era,
): PackageFile[] {
  const annotated = crds.map(crd => ({crd, object: annotatedCrd(crd, metadata, era)}))
  const changed = new Set(
    annotated.filter(({crd, object}) => object !== crd.object).map(({crd}) => crd.file.path),
  )
  const leftOut = bakedFiles(crds, metadata)
  return files
    .filter(({path}) => !leftOut.has(path))
    .map(file => {
      if (!changed.has(file.path)) return file
      const objects = annotated.filter(({crd}) => crd.file.path === file.path).map(({object}) => object)
      return {...file, bytes: Buffer.from(writeYaml(objects))}
    })
}

function annotatedCrd(crd: SourceCrd, files: MetadataFiles, era: Era): KubernetesObject {
  const {metadata} = crd.object
  const {annotations = {}} = metadata
  const added = metadataAnnotations(era, metadataOf(crd, files), annotations)
  if (Object.keys(added).length === 0) return crd.object
  return {...crd.object, metadata: {...metadata, annotations: {...annotations, ...added}}}
}

/**
 * Icons directly in `.registry/` are also icons of the package, so they stay; and where one of them could apply to a
 * CRD, all others stay too, or it would replace a baked one.
 */
function bakedFiles(crds: readonly SourceCrd[], metadata: MetadataFiles): ReadonlySet<string> {
  const {groups, resources, icons, uiSchemas} = metadata
  const ownIconsCount = crds.some(crd =>
    filesAbove(crd, metadata)
      .icons.flat()
      .some(({file}) => isOwn(file)),
  )
  const baked = [...groups.all, ...resources.all, ...uiSchemas.all, ...(ownIconsCount ? [] : icons.all)]
  return new Set(baked.map(({file}) => file.path).filter(path => !iconsAtTop(icons).has(path)))
}

function isOwn(file: PackageFile): boolean {
  return directoryOf(file).length === 0
}

function iconsAtTop(icons: MetadataFiles['icons']): ReadonlySet<string> {
  return new Set(
    icons.all
      .map(({file}) => file)
      .filter(isOwn)
      .map(({path}) => path),
  )
}
