import {CrossplaneError, type Fault} from '../errors.js'
import {type App, readApp} from './app.js'
import {readBehavior} from './behavior.js'
import {readController} from './controller.js'
import {metadataOf} from './crd-metadata.js'
import {readCrds} from './crds.js'
import {errorIn, type Findings} from './findings.js'
import {readMetadataFiles} from './metadata-files.js'
import type {Icon, Package} from './package.js'
import {baseName, compareWalkOrder, directoryOf, displayPath, type RegistryFile} from './registry-file.js'

/**
 * Reads the files below `.registry/` as a package, whatever order they come in. `name` says which package in messages.
 * Throws `package-invalid` with every fault of the package at once.
 */
export function readPackage(name: string, files: readonly RegistryFile[]): Package {
  const findings: Findings = {errors: [], warnings: []}
  const sorted = [...files].sort(compareWalkOrder)
  const app = readApp(named(sorted, 'app.yaml'), findings)
  const read = readContents(app, sorted, findings)
  if (findings.errors.length > 0 || app === undefined) {
    throw invalidPackage(name, inWalkOrder(findings.errors, sorted))
  }
  return {
    app: app.fields,
    title: app.title,
    ...(app.version === undefined ? {} : {version: app.version}),
    permissionScope: app.permissionScope,
    dependencies: app.dependencies,
    ...read,
    warnings: inWalkOrder(findings.warnings, sorted),
  }
}

function readContents(
  app: App | undefined,
  files: readonly RegistryFile[],
  findings: Findings,
): Pick<Package, 'icons' | 'crds' | 'controller' | 'behavior'> {
  const metadata = readMetadataFiles(
    {
      groups: named(files, 'group.yaml'),
      resources: endingIn(files, 'resource.yaml'),
      icons: files.filter(file => /icon\..*$/s.test(baseName(file))),
      uiSchemas: endingIn(files, 'ui-schema.yaml'),
    },
    findings,
  )
  const crds = readCrds(endingIn(files, 'crd.yaml'), app?.permissionScope ?? 'Cluster', findings)
  const installs = named(files, 'install.yaml')
  const behaviors = named(files, 'behavior.yaml')
  const controller = readController(installs, findings)
  const behavior = readBehavior(behaviors, findings)
  if (controller !== undefined && behavior !== undefined) refuseBoth(installs, behaviors, findings)
  return {
    icons: metadata.icons.all
      .filter(({file}) => directoryOf(file).length === 0)
      .map(({value}): Icon => value),
    crds: crds.map(crd => ({
      file: displayPath(crd.file),
      object: crd.object,
      definition: crd.definition,
      metadata: metadataOf(crd, metadata),
    })),
    ...(controller === undefined ? {} : {controller}),
    ...(behavior === undefined ? {} : {behavior}),
  }
}

function named(files: readonly RegistryFile[], name: string): RegistryFile[] {
  return files.filter(file => baseName(file) === name)
}

function endingIn(files: readonly RegistryFile[], suffix: string): RegistryFile[] {
  return files.filter(file => baseName(file).endsWith(suffix))
}

function refuseBoth(
  installs: readonly RegistryFile[],
  behaviors: readonly RegistryFile[],
  findings: Findings,
): void {
  const [install, behavior] = [installs[0], behaviors[0]]
  if (install === undefined || behavior === undefined) return
  const message = `a package has either a controller or a behavior, and ${displayPath(install)} is there too`
  errorIn(behavior, {rule: 'behavior-and-install', message}, findings)
}

/** As a reader of the files from the first to the last meets them; what no file is at fault for comes first. */
function inWalkOrder(faults: readonly Fault[], files: readonly RegistryFile[]): Fault[] {
  const places = new Map(files.map((file, index) => [displayPath(file), index]))
  const placeOf = ({file}: Fault) => places.get(file ?? '') ?? -1
  return [...faults].sort((a, b) => placeOf(a) - placeOf(b) || (a.line ?? 0) - (b.line ?? 0))
}

function invalidPackage(name: string, errors: readonly Fault[]): CrossplaneError {
  const count = errors.length === 1 ? 'one fault' : `${errors.length} faults`
  return new CrossplaneError('package-invalid', `reading the package ${name} found ${count}`, {
    faults: errors,
    suggestions: ['Mend the package, or ask its authors to: nothing was rendered.'],
  })
}
