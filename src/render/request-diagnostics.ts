import {parseImageName} from '../reference/image-name.js'
import {isImageSource} from '../reference/image-source.js'
import {isCrdName} from '../reference/install-target.js'
import {isDnsLabel, isDnsSubdomain, isQualifiedName} from '../reference/kubernetes-names.js'
import type {FieldPath} from '../yaml/json-value.js'
import type {InstallRequest} from './request.js'

/** An error in a request: the field of its object, and the reason. */
export interface RequestDiagnostic {
  readonly path: FieldPath
  readonly message: string
}

/** Lists the errors in a request's values; an empty namespace is one that is still to be selected. */
export function requestDiagnostics(request: InstallRequest): RequestDiagnostic[] {
  const {name, namespace, source, imagePullSecrets, serviceAccountAnnotations} = request
  const checks: readonly (readonly [boolean, FieldPath, string])[] = [
    [isDnsSubdomain(name), ['metadata', 'name'], `${quoted(name)} is not a valid install name`],
    [
      namespace === '' || isDnsLabel(namespace),
      ['metadata', 'namespace'],
      `${quoted(namespace)} is not a valid namespace`,
    ],
    [
      request.package === undefined || parseImageName(request.package) !== undefined,
      ['spec', 'package'],
      `${quoted(request.package)} is not a valid package: [HOST/]PATH[:TAG][@sha256:DIGEST] in lowercase`,
    ],
    [
      request.crd === undefined || isCrdName(request.crd),
      ['spec', 'crd'],
      `${quoted(request.crd)} is not a valid CRD name: RESOURCE.GROUP[/VERSION]`,
    ],
    [
      source === undefined || isImageSource(source),
      ['spec', 'source'],
      `${quoted(source)} is not a valid image source: HOST[:PORT][/PATH], without a tag`,
    ],
    ...imagePullSecrets.map(
      (secret, index) =>
        [
          isDnsSubdomain(secret),
          ['spec', 'imagePullSecrets', index, 'name'],
          `${quoted(secret)} is not a valid secret name`,
        ] as const,
    ),
    ...Object.keys(serviceAccountAnnotations).map(
      key =>
        [
          isQualifiedName(key),
          ['spec', 'serviceAccount', 'annotations', key],
          `${quoted(key)} is not a valid annotation key`,
        ] as const,
    ),
  ]
  return checks.filter(([holds]) => !holds).map(([, path, message]) => ({path, message}))
}

function quoted(text = ''): string {
  return JSON.stringify(text)
}
