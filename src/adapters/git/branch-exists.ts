import type {GitProgram} from './git-program.js'

/** Reports whether a repository has a branch of its own. */
export async function hasBranch(branch: string, git: GitProgram): Promise<boolean> {
  return (await git.find(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])) !== ''
}

/** Asks a remote repository, by name or URL, whether it has a branch. Throws what git failed with. */
export async function hasRemoteBranch(remote: string, branch: string, git: GitProgram): Promise<boolean> {
  return (await git.run(['ls-remote', '--heads', '--', remote, `refs/heads/${branch}`])).trim() !== ''
}
