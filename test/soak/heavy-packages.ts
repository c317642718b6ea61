/** The files of a package below `.registry/`, by path. */
type Files = Readonly<Record<string, string>>

/** A package at or beyond a limit, and whether it can be read. */
export interface HeavyPackage {
  readonly name: string
  readonly files: () => Files
  readonly want: 'read' | 'rejected'
}

/** As many of a text as given, with `%` replaced by its number. */
const many = (count: number, text: string) =>
  Array.from({length: count}, (_, number) => text.replaceAll('%', String(number))).join('')

const app = (rest = '') => `title: heavy\nversion: v0.1.0\npermissionScope: Cluster\n${rest}`

const crd = (kind: string, schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
${schema}`

const fields = (count: number) => many(count, '          f%: {type: string}\n')

const deployment = (containers: string) =>
  `kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n${containers}`

/** Of everything that a package can have many of, nearly as many as are read, and far more. */
export const HEAVY_PACKAGES: readonly HeavyPackage[] = [
  {
    name: 'unknown fields of app.yaml',
    files: () => ({'app.yaml': app(many(140_000, 'k%: 1\n'))}),
    want: 'read',
  },
  {
    name: 'too many fields of app.yaml',
    files: () => ({'app.yaml': app(many(900_000, 'k%: 1\n'))}),
    want: 'rejected',
  },
  {
    name: 'duplicate keys of app.yaml',
    files: () => ({'app.yaml': app(many(140_000, 'k: 1\n'))}),
    want: 'read',
  },
  {
    name: 'dependencies',
    files: () => ({'app.yaml': app(`dependsOn:\n${many(70_000, '- crd: as.g%.example.org/v1\n')}`)}),
    want: 'read',
  },
  {
    name: 'permissions',
    files: () => ({
      'app.yaml': app(
        `permissions:\n  rules:\n${many(15_000, '  - {apiGroups: [g%], resources: [r%], verbs: [get]}\n')}`,
      ),
    }),
    want: 'read',
  },
  {
    name: 'a readme of 1 MB',
    files: () => ({'app.yaml': app(`readme: |\n${many(10_000, `  ${'x'.repeat(99)}\n`)}`)}),
    want: 'read',
  },
  {
    name: 'a text of 15 MiB',
    files: () => ({'app.yaml': app(`k: |\n${many(150, `  ${'x'.repeat(100 * 1024)}\n`)}`)}),
    want: 'read',
  },
  {
    name: 'containers of one image',
    files: () => ({
      'app.yaml': app(),
      'install.yaml': deployment(many(45_000, '      - {name: c%, image: example/one}\n')),
    }),
    want: 'read',
  },
  {
    name: 'containers of own images, with ports and settings',
    files: () => ({
      'app.yaml': app(),
      'install.yaml': deployment(
        many(
          15_000,
          '      - {name: c%, image: e/i%, securityContext: {privileged: true}, ports: [{hostPort: 1}]}\n',
        ),
      ),
    }),
    want: 'read',
  },
  {
    name: 'fields of a few CRDs',
    files: () => ({
      'app.yaml': app(),
      ...Object.fromEntries(
        ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map(kind => [`${kind}.crd.yaml`, crd(kind, fields(9_000))]),
      ),
    }),
    want: 'read',
  },
  {
    name: 'too many fields of a few CRDs',
    files: () => ({
      'app.yaml': app(),
      ...Object.fromEntries(['A', 'B', 'C'].map(kind => [`${kind}.crd.yaml`, crd(kind, fields(160_000))])),
    }),
    want: 'rejected',
  },
  {
    name: 'files with a CRD each',
    files: () => ({
      'app.yaml': app(),
      ...Object.fromEntries(
        Array.from({length: 6_000}, (_, number) => [`${number}.crd.yaml`, crd(`K${number}`, fields(1))]),
      ),
    }),
    want: 'read',
  },
  {
    name: 'files that are too large to be read together',
    files: () => ({
      'app.yaml': app(),
      ...Object.fromEntries(
        Array.from({length: 60}, (_, number) => [`${number}.crd.yaml`, many(500_000, '-\n')]),
      ),
    }),
    want: 'rejected',
  },
  {
    name: 'aliases that repeat most of a file, in many files',
    files: () => ({
      'app.yaml': app(),
      ...Object.fromEntries(
        Array.from({length: 500}, (_, number) => [
          `${number}.crd.yaml`,
          `a: &a [${many(1_500, '1,')}]\nb: [${many(95, '*a,')}]\n`,
        ]),
      ),
    }),
    want: 'rejected',
  },
]
