import type {Image} from '../../fetch/image.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {Annotations} from '../../fetch/oci-parts.js'
import type {SourceFacts} from './source-control.js'
import {sourceUrl} from './source-url.js'

const PREFIX = 'org.opencontainers.image.'

/**
 * Returns the annotations of a package's image, from app.yaml and version control, for tools that do not read
 * packages. https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md
 */
export function imageAnnotations(
  app: JsonObject,
  source: SourceFacts | undefined,
  created?: string,
): Annotations {
  const values = {
    title: asText(app.title),
    description: asText(app.overviewShort) || asText(app.overview),
    version: asText(app.version),
    licenses: asText(app.license),
    vendor: asText(app.company),
    authors: people(app.maintainers) || people(app.owners),
    url: asText(app.website),
    source: asText(app.source) || sourceUrl(source?.remote ?? ''),
    revision: source?.revision ?? '',
    created: created ?? '',
  }
  return prefixed(values)
}

/** Returns the annotations that name the base image; `name` is its reference in a registry. */
export function baseAnnotations(digest: string, name: string | undefined): Annotations {
  return prefixed({'base.digest': digest, 'base.name': name ?? ''})
}

/** Reads the annotation that names the base image; empty for an image without one. */
export function baseNameOf(image: Image): string {
  return annotationsOf(image)[`${PREFIX}base.name`] ?? ''
}

/** Reads the annotations of an image's document. */
export function annotationsOf({bytes, descriptor}: Image): Annotations {
  const {annotations} = parseJsonObject(bytes, `the manifest ${descriptor.digest}`)
  return textsOf(annotations)
}

/** Returns the texts of an object; other values are left out. */
export function textsOf(value: JsonValue | undefined): Annotations {
  return Object.fromEntries(
    Object.entries(asObject(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

/** Removes the annotations that describe an image as a whole: they would be wrong for an image built on it. */
export function withoutImageAnnotations(annotations: Annotations): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !key.startsWith(PREFIX)))
}

function prefixed(values: Readonly<Record<string, string>>): Annotations {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [PREFIX + key, value]),
  )
}

/** Formats `Name <address>`, as far as each is known. */
function people(list: JsonObject[string] | undefined): string {
  return asObjects(list)
    .map(({name, email}) => [asText(name), asText(email) === '' ? '' : `<${asText(email)}>`])
    .map(parts => parts.filter(part => part !== '').join(' '))
    .filter(person => person !== '')
    .join(', ')
}
