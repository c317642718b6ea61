import {formatSummary, type PackageSummary} from '../../../src/index/package-summary.js'
import type {OpenPackage} from '../../../src/resolve/catalog/catalog.js'
import {readPackage} from '../../../src/unpack/read-package.js'

/** The package that a summary describes. */
export function packageOf({identity, tag, permissionScope, crds, dependsOn}: PackageSummary): OpenPackage {
  const app = {title: identity, version: tag, permissionScope, dependsOn}
  const objects = crds.map(({group, plural, singular, kind, scope, served, stored}) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      names: {plural, singular, kind},
      scope,
      versions: served.map(name => ({name, served: true, storage: name === stored})),
    },
  }))
  const files = [
    {path: 'app.yaml', bytes: Buffer.from(JSON.stringify(app))},
    ...objects.map((crd, index) => ({path: `${index}.crd.yaml`, bytes: Buffer.from(JSON.stringify(crd))})),
  ]
  const name = formatSummary({identity, tag})
  const located = {files, name, readFrom: name, repositoryPath: identity, reference: {path: identity, tag}}
  return {located, package: readPackage(name, files)}
}
