import {expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PLACES = [
  ...['src/pipeline', 'src/commands', 'src/cli'],
  ...readdirSync(join(ROOT, 'plugins')).map(name => `plugins/${name}/src`),
]

/** What asks which format something has, or finds it out by an error. */
const QUESTION =
  /\bparts\.(xpkg|stack)\b|\bformatOf\(|\bhas(Only)?(Xpkgs|Stacks)\b|\bisXpkg\b|\bxpkgs? [!=]== undefined|includes\('(xpkg|stack)'\)|format\w* [!=]== '(xpkg|stack)'|code [!=]== '(unsupported|lock-outdated)'/

const LISTS_IMAGES =
  'a bundle lists which images are xpkgs: mirrors of Crossplane are configured for these only'
const FLAGS_OF_BOTH = 'which flags have an effect depends on the formats of both sides'
const HAS_PARTS = 'a rendered set, a lock and a commit have a part for each format, which are joined here'
const LAST_LEFT = 'it names the format whose last package left a declaration'
const OWN_PART = 'it is the part of one format'
const CORE_LOCK = 'the Lock of a core is one more side, of its packages only'

/** Where something asks, and why; 0099 has more about each reason. */
const ASKING: Readonly<Record<string, string>> = {
  'plugins/catalog/src/pages/start-page.ts': 'a page says which releases of Crossplane a package is for',
  'src/cli/author/init-query.ts': 'a flag says what to create',
  'src/cli/bundle/show-bundle.ts': LISTS_IMAGES,
  'src/commands/bundle/push.ts': LISTS_IMAGES,
  'src/pipeline/author/built-image.ts': 'an xpkg has no version besides its tag',
  'src/pipeline/author/init-package.ts': 'a flag says what to create',
  'src/pipeline/author/joined-images.ts': 'only xpkgs are built for one platform each',
  'src/pipeline/bundle/bundle-contents.ts': LISTS_IMAGES,
  'src/pipeline/bundle/bundled-signatures.ts': LISTS_IMAGES,
  'src/pipeline/bundle/declare-mirrors.ts': LISTS_IMAGES,
  'src/pipeline/cluster/available-updates.ts': 'an entry of the other format is no update',
  'src/pipeline/cluster/core/upgrade-packages.ts': OWN_PART,
  'src/pipeline/cluster/install-requested.ts': 'a package that was read is recognized here',
  'src/pipeline/cluster/install.ts': OWN_PART,
  'src/pipeline/drift/cluster-side.ts': CORE_LOCK,
  'src/pipeline/drift/find-drift.ts': CORE_LOCK,
  'src/pipeline/fleet/home-state.ts': HAS_PARTS,
  'src/pipeline/git/judge-commit.ts': HAS_PARTS,
  'src/pipeline/git/keep-versions.ts': HAS_PARTS,
  'src/pipeline/git/moved-home.ts': HAS_PARTS,
  'src/pipeline/home/locked-history.ts': HAS_PARTS,
  'src/pipeline/impact/compared-sets.ts': FLAGS_OF_BOTH,
  'src/pipeline/inspect/bundle-closure.ts': LISTS_IMAGES,
  'src/pipeline/inspect/requested-images.ts': LISTS_IMAGES,
  'src/pipeline/render/render-recognized.ts': LAST_LEFT,
  'src/pipeline/render/render-sets.ts': HAS_PARTS,
  'src/pipeline/render/render-stacks.ts': OWN_PART,
  'src/pipeline/render/settings-file.ts': HAS_PARTS,
  'src/pipeline/resolution/lock-request.ts': LAST_LEFT,
}

it('nothing asks which format a package has, but for what is listed with its reason', () => {
  const asking = PLACES.flatMap(place =>
    readdirSync(join(ROOT, place), {recursive: true, encoding: 'utf8'})
      .filter(path => path.endsWith('.ts'))
      .map(path => `${place}/${path}`)
      .filter(path => QUESTION.test(readFileSync(join(ROOT, path), 'utf8'))),
  )
  expect(asking.sort()).toEqual(Object.keys(ASKING).sort())
})
