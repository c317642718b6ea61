import {describe} from '@jest/globals'
import {itCanBeFollowed, itShowsWhatCommandsPrint} from './transcripts.js'

describe('the guides', () => {
  itCanBeFollowed('docs/authoring.md')
  // A build names the commit of its sources.
  itCanBeFollowed('docs/bundles.md', {
    normalize: text => text.replaceAll(/sha256:[0-9a-f]{12,64}/g, 'DIGEST'),
  })
  itCanBeFollowed('docs/catalog.md')
  itCanBeFollowed('docs/check.md')
  itCanBeFollowed('docs/compare.md')
  itShowsWhatCommandsPrint('docs/declaration.md')
  itShowsWhatCommandsPrint('docs/declaration-v012.md')
  itCanBeFollowed('docs/gitops.md', {
    normalize: text => text.replaceAll(/(committed|pushed) [0-9a-f]{12}/g, '$1 COMMIT'),
  })
  itCanBeFollowed('docs/impact.md')
  itShowsWhatCommandsPrint('docs/index.md')
  itShowsWhatCommandsPrint('docs/inspect.md')
  itShowsWhatCommandsPrint('docs/inspect-v012.md')
  itShowsWhatCommandsPrint('docs/layouts.md')
  itShowsWhatCommandsPrint('docs/layouts-v012.md')
  itShowsWhatCommandsPrint('docs/linting.md')
  itCanBeFollowed('docs/lock.md')
  itCanBeFollowed('docs/updates.md')
  itCanBeFollowed('docs/validate.md')
  itCanBeFollowed('docs/fleets.md')
  itShowsWhatCommandsPrint('docs/xpkg.md')
  itShowsWhatCommandsPrint('docs/xpkg-build.md')
  itShowsWhatCommandsPrint('docs/xpkg-dependencies.md')
  itCanBeFollowed('docs/xpkg-git.md', {
    normalize: text =>
      text
        .replaceAll(/committed [0-9a-f]{12}/g, 'committed COMMIT')
        .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:DIGEST'),
  })
  itCanBeFollowed('docs/xpkg-rendering.md')
  itCanBeFollowed('docs/start-with-git.md', {
    normalize: text =>
      text
        .replaceAll(/\b[0-9a-f]{12}\b/g, 'COMMIT')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
        .replaceAll(/ {2,}/g, '  '),
  })
  itCanBeFollowed('docs/performance.md', {
    normalize: text => text.replaceAll(/\d+\.\d+ seconds/g, 'SECONDS'),
  })
  itCanBeFollowed('docs/policy.md')
  itCanBeFollowed('docs/policy-rules.md')
  itCanBeFollowed('docs/services.md')
  itCanBeFollowed('docs/template-packages.md')
  itShowsWhatCommandsPrint('examples/README.md')
  itCanBeFollowed('examples/services/redis/README.md', {
    // The image names the commit of the package.
    normalize: text => text.replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:DIGEST'),
  })
})
