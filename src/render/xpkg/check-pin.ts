import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {isDigest} from '../../reference/image-name.js'
import {isLocalPath} from '../../reference/package-reference.js'
import {quoted} from '../../text.js'
import type {Closure, ClosurePackage} from './closure.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import {isSkipped, pinOf, type XpkgSettings} from './xpkg-settings.js'

/**
 * Throws for a set that Crossplane would not install as it is pinned: `unresolvable` where its resolver would fail or is
 * too old, `reference-incomplete` for references that it rejects, `usage` for a pin that contradicts the resolver.
 * @param conflicts - what keeps Crossplane's resolver from installing the packages together.
 */
export function checkPin(
  {packages}: Closure,
  settings: XpkgSettings,
  conflicts: readonly Diagnostic[],
): void {
  const {pin, coreVersion, mirrors} = settings
  expectResolver(packages, settings)
  const rejected = packages.find(({repository}) => !REPOSITORY.test(repository))
  if (rejected !== undefined) throw withoutRegistry(rejected)
  if (mirrors !== undefined) expectMirrors(coreVersion)
  const pinnedBy = (wanted: string) =>
    packages.filter(({repository}) => pinOf(repository, settings) === wanted)
  expectDigests(pinnedBy('digest'))
  const isResolved = packages.some(({repository}) => !isSkipped(repository, settings))
  const all = conflicts.length > 0 ? conflicts : requiredByDigest(packages)
  if (isResolved && all.length > 0) throw unresolvable(pin, all)
  if (pinnedBy('config').length > 0 && !isSince(coreVersion, SINCE.rewriteImage))
    throw tooOld(coreVersion ?? '')
}

/** Without the resolver, nothing in the cluster checks what a moved tag requires. */
function expectResolver(packages: readonly ClosurePackage[], settings: XpkgSettings): void {
  const {resolver} = settings
  if (resolver === undefined) return
  const excluded = resolver === 'off' ? 'tag' : 'digest'
  const wrong = packages.find(({repository}) => pinOf(repository, settings) === excluded)
  if (wrong === undefined) return
  const isOwn = settings.own?.get(wrong.repository)?.pin === excluded
  const message = `--resolver=${resolver} and --pin=${excluded} are mutually exclusive (${wrong.repository})`
  throw new CrossplaneError('usage', message, {
    suggestions: [
      // A flag does not replace the pin of an entry.
      isOwn
        ? `Remove pin: ${excluded} from the entry of ${wrong.repository} in the declaration.`
        : resolver === 'off'
          ? 'Use --pin=config or --pin=digest.'
          : 'Use --pin=config or --pin=tag.',
    ],
  })
}

/** The pattern of the CRDs, without tag and digest: a registry with a dot in its name. */
const REPOSITORY = /^[^./]+(\.[^./]+)+(\/[^/:@]+)+$/

function withoutRegistry({repository, version}: ClosurePackage): CrossplaneError {
  const message = `cannot request ${quoted(repository)}: Crossplane requires a registry with a dot in its name`
  if (isLocalPath(repository)) {
    return new CrossplaneError('reference-incomplete', message, {
      suggestions: ['Name the package: --as-package REGISTRY/PATH:TAG'],
    })
  }
  const named = `REGISTRY/${repository}${isDigest(version) ? '' : `:${version}`}`
  return new CrossplaneError('reference-incomplete', message, {
    suggestions: [`Request ${named}, or name a package of a folder or file with --as-package ${named}.`],
  })
}

function expectDigests(packages: readonly ClosurePackage[]): void {
  const without = packages.find(({digest, version}) => digest === undefined && !isDigest(version))
  if (without === undefined) return
  const message = `cannot pin ${without.repository}:${without.version}: its digest is unknown, because it is read from a folder or an archive of Docker`
  throw new CrossplaneError('unresolvable', message, {
    suggestions: ['Read the package from its registry or an OCI layout, or use --pin=tag.'],
  })
}

/** Crossplane compares texts: a tag does not satisfy the digest that it has. */
function requiredByDigest(packages: readonly ClosurePackage[]): readonly Diagnostic[] {
  const byTag = new Map(
    packages.flatMap(({repository, version}) => (isDigest(version) ? [] : [[repository, version] as const])),
  )
  return packages.flatMap(selected =>
    selected.dependencies.flatMap(({package: name, version}): Diagnostic[] => {
      const tag = byTag.get(name)
      if (tag === undefined || !isDigest(version)) return []
      const message = `${selected.repository} requires ${name} as ${version}, which Crossplane does not accept if it is requested as ${tag}`
      return [{severity: 'error', rule: 'xpkg-required-by-digest', message, subject: {package: name}}]
    }),
  )
}

function unresolvable(pin: string, diagnostics: readonly Diagnostic[]): CrossplaneError {
  const message = `cannot render the packages with --pin=${pin}: Crossplane's own resolver cannot install them together`
  return new CrossplaneError('unresolvable', message, {
    diagnostics: diagnostics.map(diagnostic => ({...diagnostic, severity: 'error'})),
    suggestions: ['Use --pin=digest, with which Crossplane resolves no dependencies.'],
  })
}

function tooOld(coreVersion: string): CrossplaneError {
  const message = `--pin=config requires Crossplane v1.20 or later, not ${coreVersion}`
  return new CrossplaneError('unresolvable', message, {suggestions: ['Use --pin=digest or --pin=tag.']})
}

function expectMirrors(coreVersion: string | undefined): void {
  if (isSince(coreVersion, SINCE.rewriteImage)) return
  const message = `xpkg.mirrors requires Crossplane v1.20 or later, not ${coreVersion ?? ''}`
  throw new CrossplaneError('unresolvable', message, {
    suggestions: ['Leave out xpkg.mirrors, and request packages by the names that they have in the mirror.'],
  })
}
