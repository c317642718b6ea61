import {CrossplaneError} from '../../errors.js'
import type {LocatedPackage} from '../../locate/located-package.js'
import {isDigest} from '../../reference/image-name.js'
import {type XpkgCatalog, type XpkgContent, type XpkgRoot} from '../../resolve/xpkg/xpkg-catalog.js'
import {escaped, quoted} from '../../text.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {CONSTRAINT_RULES, type ConstraintRules} from '../../xpkg/constraints/constraint-rules.js'
import {readConstraint} from '../../xpkg/constraints/constraint.js'
import {candidateVersion} from '../../xpkg/constraints/version.js'
import {derivedName, MAX_REQUEST_NAME, nameProblem} from '../../xpkg/package-name.js'

/** A requested package for a current Crossplane. */
export interface RequestedXpkg extends XpkgRoot, Pick<LocatedPackage, 'lacksPlatform'> {
  /** The content of a package that no repository has, such as a folder. */
  readonly content?: XpkgContent
  /** The files of such a package. */
  readonly files?: readonly PackageFile[]
}

/** Throws `input-invalid` for a requested constraint that a version of Crossplane cannot read. */
export function expectConstraints(roots: readonly RequestedXpkg[], rules: readonly ConstraintRules[]): void {
  for (const {repository, constraint = '*'} of roots) {
    const unread = rules.find(rule => readConstraint(constraint, rule) === undefined)
    if (unread === undefined) continue
    const release = unread === 'v1' ? 'up to 2.2' : '2.3 and later'
    const message = `cannot select a version of ${repository}: ${quoted(constraint)} is not a constraint for Crossplane ${release}`
    throw new CrossplaneError('input-invalid', message, {
      suggestions: ['Separate conditions with a comma, such as >=v1.2.0, <v2.0.0.'],
    })
  }
}

/** Throws `input-invalid` for a name that no request can have, and for two names of one package. */
export function expectNames(roots: readonly RequestedXpkg[]): void {
  for (const {repository, name = derivedName(repository)} of roots) {
    // A path such as `.` gives no name: its dependencies can be shown, and whatever needs a request also needs a repository.
    if (name === '') continue
    const other = roots.find(
      root => root.repository === repository && (root.name ?? derivedName(repository)) !== name,
    )
    const cause =
      other !== undefined
        ? `it is also requested as ${other.name ?? derivedName(repository)}, and Crossplane stops all packages if one is requested twice`
        : nameProblem(name)
    if (cause === undefined) continue
    throw new CrossplaneError('input-invalid', `cannot request ${repository} as ${escaped(name)}: ${cause}`, {
      suggestions: [`Give it one name of at most ${MAX_REQUEST_NAME} lowercase letters, digits, - and dots.`],
    })
  }
}

/** Offers all tags of a package that is requested in one version, and that version alone if they cannot be listed. */
export function withVersions(catalog: XpkgCatalog, roots: readonly RequestedXpkg[]): XpkgCatalog {
  return {
    ...catalog,
    tags: async repository => {
      const version = roots.find(root => root.repository === repository)?.version
      if (version === undefined) return await catalog.tags(repository)
      const tags: readonly string[] = await catalog.tags(repository).catch(() => [])
      return tags.includes(version) || isDigest(version) ? tags : [...tags, version]
    },
  }
}

/** A package that is requested in one version has no other one: its tags need not be listed. */
export function withPinned(catalog: XpkgCatalog, roots: readonly RequestedXpkg[]): XpkgCatalog {
  const pinned = new Map(
    roots.flatMap(({repository, version}) => (version === undefined ? [] : [[repository, version] as const])),
  )
  const isVersion = (text: string) =>
    CONSTRAINT_RULES.every(rules => candidateVersion(text, rules) !== undefined)
  return {
    ...catalog,
    tags: async repository => {
      const version = pinned.get(repository)
      if (version === undefined) return await catalog.tags(repository)
      if (isVersion(version)) return [version]
      // Other tags can have the same bytes, which matters only where others require a version.
      return await catalog.tags(repository).catch((error: unknown) => {
        if (error instanceof CrossplaneError) return []
        throw error
      })
    },
  }
}

/** A package that was given is read once, and has the one version that was requested. */
export function withContents(catalog: XpkgCatalog, roots: readonly RequestedXpkg[]): XpkgCatalog {
  const local = new Map(
    roots.flatMap(({repository, version = '', content}) =>
      content === undefined ? [] : [[repository, {version, content}] as const],
    ),
  )
  const contentOf = (repository: string, version: string) => {
    const own = local.get(repository)
    return own?.version === version ? own.content : undefined
  }
  return {
    ...catalog,
    tags: async repository => {
      const own = local.get(repository)
      return own === undefined ? await catalog.tags(repository) : [own.version]
    },
    narrowings: async repository =>
      local.has(repository) ? [] : ((await catalog.narrowings?.(repository)) ?? []),
    read: async (repository, version, digest) =>
      contentOf(repository, version) ?? (await catalog.read(repository, version, digest)),
    digestOf: async (repository, tag) => {
      const content = contentOf(repository, tag)
      return content === undefined ? await catalog.digestOf(repository, tag) : content.digest
    },
  }
}
