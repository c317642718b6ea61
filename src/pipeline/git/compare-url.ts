/** The pages on which known hosts compare a branch with the default one. */
const PAGES: Readonly<Record<string, (repository: string, branch: string) => string>> = {
  'github.com': (repository, branch) => `${repository}/compare/${branch}?expand=1`,
  'gitlab.com': (repository, branch) =>
    `${repository}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${branch}`,
  'bitbucket.org': (repository, branch) => `${repository}/pull-requests/new?source=${branch}`,
}

/** Returns the page that compares a branch with the default one; undefined for a host that is not known. */
export function compareUrl(whole: string, branch: string): string | undefined {
  // A query can have a token.
  const url = whole.replace(/[?#].*$/, '')
  const [, host = '', path = ''] =
    /^(?:https|ssh):\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(url) ??
    /^(?:[^\s/:@]+@)?([\w.-]+):(.+?)(?:\.git)?\/?$/.exec(url) ??
    []
  const page = Object.hasOwn(PAGES, host) ? PAGES[host] : undefined
  return page?.(`https://${host}/${path}`, encodeURIComponent(branch))
}
