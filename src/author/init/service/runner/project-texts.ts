/** Returns `package.json`. */
export function projectPackage(name: string, program: string): string {
  const scripts = {
    build: `tsc && esbuild dist/src/main.js ${BUNDLE}`,
    image: 'npm run build && kubectl-crossplane package build oci:image . --copy dist/app:/app',
    start: 'node dist/src/main.js',
    test: 'tsc && node --test dist/test/external.test.js dist/test/cluster.test.js',
  }
  const json = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: {node: '>=20.19'},
    scripts: {...scripts, image: `${scripts.image} --from docker.io/library/node:22-slim`},
    dependencies: {'kubectl-crossplane': program, 'kubectl-crossplane-services': program},
    devDependencies: {'@types/node': '^20.19.0', esbuild: '^0.28.0', typescript: '^6.0.0'},
  }
  return `${JSON.stringify(json, null, 2)}\n`
}

/** One file with all that the program needs. */
const BUNDLE =
  '--bundle --platform=node --format=esm --target=node20 --external:typescript --outfile=dist/app/main.mjs'

/** What runs the program in the image; the user is the one of the images of Node.js. */
export const PROJECT_CONTROLLER = {
  settings: {
    command: ['node', '/app/main.mjs'],
    resources: {requests: {cpu: '100m', memory: '128Mi'}},
    securityContext: {runAsNonRoot: true, runAsUser: 1000},
  },
  notes: [],
}

export const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      rootDir: '.',
      outDir: 'dist',
      incremental: true,
    },
    include: ['src', 'test'],
  },
  null,
  2,
)}\n`

export const GITIGNORE = 'node_modules/\ndist/\nimage/\n'

/** Returns `src/main.ts`. */
export function mainModule(): string {
  return `import {runServices} from 'kubectl-crossplane-services'
import {provider} from './external.js'
import {SERVICE} from './service.js'

// One of several processes makes changes. A test that kills the process does not wait until its turn is over.
const leaderElect = process.env.LEADER_ELECT !== 'false'
process.exitCode = await runServices([{...SERVICE, provider}], {version: 'v0.1.0', leaderElect})
`
}
