import {CrossplaneError} from '../../errors.js'
import {parsePlatform, type Platform} from '../../fetch/platform.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {type BundleClosure, lockClosure, requestClosure} from '../../pipeline/inspect/bundle-closure.js'
import {type ReadRequest, readExistingLock, readRequest} from '../../pipeline/request/read-request.js'
import {present} from '../../present.js'
import {shellWord} from '../../text.js'
import type {bundleContentFlags} from './bundle-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {withDefaultDeclaration} from '../sources/default-declaration.js'
import {lockToRead} from '../declaration/lock-query.js'
import {resolutionQuery} from '../declaration/resolution-query.js'
import {isBundle, openBundleAt} from '../sources/bundles.js'
import {inputFiles} from '../files/input-files.js'
import {requestPorts} from '../packages/package-ports.js'
import type {Progress} from '../shell/progress/step-event.js'
import {packagesUnderPolicy} from '../packages/trusted-packages.js'

/** The words of a command line that say what a bundle has. */
export interface BundleWords {
  readonly references: readonly string[]
  readonly flags: FlagValues<typeof bundleContentFlags>
  readonly flagNames: ReadonlySet<string>
}

/** What a bundle has, and where it is read from. */
export interface GivenClosure {
  readonly closure: BundleClosure
  readonly platforms: readonly Platform[]
  readonly packages: PackagePorts
}

/** Resolves what a bundle is to have. Throws `usage`, and as resolving and rendering do. */
export async function givenClosure(words: BundleWords, shown: Progress): Promise<GivenClosure> {
  const {references, flagNames} = words
  await expectNoBundles(references)
  const {platform = [], image = [], ...others} = words.flags
  const platforms = platform.map(parsePlatform)
  const flags = {
    ...withDefaultDeclaration(references[0] ?? others['lock-file'], others),
    ...present({platform: platform[0]}),
  }
  if (references.length === 0 && flags.declaration === undefined && flags['lock-file'] !== undefined) {
    const {lock} = await readExistingLock(lockToRead({}, flags), inputFiles)
    const {packages, teams} = await packagesUnderPolicy(flags, shown)
    return {closure: await lockClosure(lock, image, packages, teams), platforms, packages}
  }
  const named = references.length === 0 ? [undefined] : references
  const requests: ReadRequest[] = []
  for (const ref of named)
    requests.push(await readRequest(resolutionQuery({ref}, flags, flagNames), requestPorts(flags, shown)))
  const [first] = requests
  if (first === undefined) throw new RangeError('no request was read')
  const request = {...first, requested: requests.flatMap(({requested}) => requested)}
  return {closure: await requestClosure(request, image), platforms, packages: request.packages}
}

/** Rejects a bundle in place of a package, whose reference its path can look like. Throws `usage`. */
async function expectNoBundles(references: readonly string[]): Promise<void> {
  for (const path of references.filter(isBundle)) {
    const isOpened = await openBundleAt(path).then(
      () => true,
      () => false,
    )
    if (!isOpened) continue
    throw new CrossplaneError('usage', `${path} is a bundle, not a package in a registry`, {
      suggestions: [`kubectl crossplane bundle list ${shellWord(path)}`],
    })
  }
}
