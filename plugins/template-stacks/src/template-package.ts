import {
  type Behavior,
  CrossplaneError,
  type Diagnostic,
  examinePackage,
  expectFormat,
  invalidPackage,
  locatePackage,
  type LocatedPackage,
  type PackageCrd,
  type PackagePorts,
  parsePackageImage,
  parsePackageReference,
} from 'kubectl-crossplane/plugin'

/** A package whose objects are made of templates. */
export interface TemplatePackage {
  readonly located: LocatedPackage
  readonly behavior: Behavior
  readonly crds: readonly PackageCrd[]
  readonly scope: 'Cluster' | 'Namespaced'
  readonly warnings: readonly Diagnostic[]
}

/** Reads a package with a behavior. Throws `package-invalid`, and `usage` for a package without templates. */
export async function readTemplatePackage(
  reference: string,
  asPackage: string | undefined,
  ports: PackagePorts,
): Promise<TemplatePackage> {
  const named = asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)}
  const read = await locatePackage(parsePackageReference(reference), {...ports, ...named})
  const located = expectFormat(read, 'stack')
  const {package: whole, errors} = examinePackage(located.files)
  if (whole === undefined) throw invalidPackage(located.name, errors, located.folder)
  const {behavior, crds, permissionScope, warnings} = whole
  if (behavior !== undefined) return {located, behavior, crds, scope: permissionScope, warnings}
  throw new CrossplaneError('usage', `${located.name} has no templates: it contains no behavior.yaml`, {
    suggestions: ['Pass a package with a behavior.yaml and the templates that it names.'],
  })
}
