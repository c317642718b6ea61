/** Port: the places of folders in their repositories. */
export interface RepositoryPaths {
  /**
   * Returns the path of a folder from the root of its repository, with `/` between segments; empty for the root. The
   * folder does not have to exist. Undefined outside of a repository, or if Git is not installed. Throws `git-refused`
   * for a repository that does not open.
   */
  pathOf(folder: string): Promise<string | undefined>
}
