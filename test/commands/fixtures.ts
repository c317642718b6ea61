import {join} from 'node:path'

const PACKAGES = join(import.meta.dirname, '../testdata/packages')

/** The folder of one of the packages that the command suites have of their own. */
export function fixture(
  name: 'cli-blog' | 'cli-broken' | 'cli-database' | 'cli-scalars' | 'cli-template',
): string {
  return join(PACKAGES, name)
}

/** A Cluster package with a controller that names no image, as if it had been pulled. */
export const DATABASE = [fixture('cli-database'), '--as-package', 'example/cli-database:v0.2.0']
/** A Namespaced package without a version of its own. */
export const BLOG = [fixture('cli-blog'), '--as-package', 'example/cli-blog:v1.0.0', '--namespace', 'team-a']
/** A template stack. */
export const TEMPLATE = [fixture('cli-template'), '--as-package', 'example/cli-template:v1.0.0']
