import {join} from 'node:path'
import type {Repository, RepositoryPlace} from '../../commit/repository.js'
import {openCheckout} from './checkout.js'
import {credentialConfig} from './credential-config.js'
import {withoutCredentials} from '../../without-credentials.js'
import {type GitConfig, gitIn} from './git-program.js'
import {remoteBranch} from './remote-branch.js'
import {unreachable} from './remote-failure.js'
import {workFolder} from './work-folder.js'

/** Clones the home of a URL into a temporary folder. No file in it has the credentials of the URL. Throws `git-refused`. */
export async function temporaryClone({
  git: address,
  branch,
  tree,
  hasHistory = false,
}: RepositoryPlace): Promise<Repository> {
  const folder = await workFolder()
  try {
    const {url, config} = credentialConfig(address)
    const root = await clone({url, branch, folder: folder.path, tree, hasHistory}, config)
    const checkout = await openCheckout(root, config, {})
    const {branch: current = ''} = await checkout.state()
    const git = await gitIn(root, config)
    const exists =
      (await git.find(['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${current}`])) !== ''
    const remote = remoteBranch({remote: 'origin', branch: current, target: current, url, exists}, git)
    const include = async (paths: readonly string[]) => {
      await git.run(['sparse-checkout', 'add', '--', ...paths])
    }
    const name = withoutCredentials(url)
    const shown = (text: string) => text.replaceAll(root, () => name.replace(/\/+$/, ''))
    return {name, checkout, remote, include, shown, close: () => folder.remove()}
  } catch (error) {
    await folder.remove()
    throw error
  }
}

interface ClonePlace {
  readonly url: string
  readonly branch?: string
  readonly folder: string
  readonly tree: string
  readonly hasHistory: boolean
}

/** Fetches one commit, unless earlier ones are read, and of its files only those of the home. */
async function clone(
  {url, branch, folder, tree, hasHistory}: ClonePlace,
  config: GitConfig,
): Promise<string> {
  const outside = await gitIn(folder, config)
  const root = join(folder, 'clone')
  try {
    const listed =
      branch === undefined
        ? ''
        : await outside.run(['ls-remote', '--heads', '--', url, `refs/heads/${branch}`])
    const exists = listed.trim() !== ''
    await outside.run([
      'clone',
      '--quiet',
      ...(hasHistory ? ['--single-branch'] : ['--depth=1']),
      '--filter=blob:none',
      '--no-checkout',
      '--no-tags',
      // Whatever clone.defaultRemoteName says.
      '--origin=origin',
      // Git would go on in the background, in a folder that is removed.
      '--config=maintenance.auto=false',
      ...(exists && branch !== undefined ? [`--branch=${branch}`] : []),
      '--',
      url,
      'clone',
    ])
    const git = await gitIn(root, config)
    await git.run(['sparse-checkout', 'set', '--cone', '--', tree])
    if ((await git.find(['rev-parse', '--verify', '--quiet', 'HEAD'])) !== '')
      await git.run(['checkout', '--quiet'])
    if (!exists && branch !== undefined) await git.run(['checkout', '--quiet', '-B', branch])
  } catch (error) {
    throw await unreachable({remote: url, url}, error, outside)
  }
  return root
}
