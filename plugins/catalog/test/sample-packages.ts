/** The text that each field of the hostile package has: markup, a script in an address, a prototype, and a bidi override. */
const HOSTILE = `"><script>hostile()</script><img src=x onerror=hostile()>\u202e'`

const crd = (group: string, properties: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dbs.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList, shortNames: [d]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, required: [size], properties: ${properties}}}}}
  - {name: v0, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

const FIELDS = `{size: {type: integer, minimum: 1, description: Its size.}, tags: {type: array, items: {type: object, properties: {key: {type: string}}}}}`

const quoted = JSON.stringify(HOSTILE)

/** A folder of packages of both formats: two versions of one, one that requires it, and one whose texts are hostile. */
export const SAMPLES: Readonly<Record<string, string>> = {
  'team/sql@v1.0.0/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: sql, annotations: {meta.crossplane.io/readme: "# SQL\\n\\nUse it."}}
`,
  'team/sql@v1.0.0/crd.yaml': crd('sql.example.org', FIELDS),
  'team/sql@v1.1.0/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: sql}
`,
  'team/sql@v1.1.0/crd.yaml': crd(
    'sql.example.org',
    FIELDS.replace('integer', 'string').replace('minimum: 1, ', ''),
  ),
  'team/platform@v2.0.0/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: platform}
spec:
  dependsOn:
  - {provider: registry.example.org/team/sql, version: ">=v1.0.0"}
  - {provider: registry.example.org/other/absent, version: v1.0.0}
`,
  'team/hostile@v1.0.0/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: hostile
  annotations:
    meta.crossplane.io/description: ${quoted}
    meta.crossplane.io/maintainer: ${quoted}
    meta.crossplane.io/license: ${quoted}
    meta.crossplane.io/source: "javascript:hostile()"
    meta.crossplane.io/iconURI: "data:text/html,<script>hostile()</script>"
    meta.crossplane.io/readme: ${JSON.stringify(`${HOSTILE}\n\n[a](javascript:hostile()) ![b](https://evil.example.org/a.png) [c](data:text/html,x) <b>`)}
`,
  'team/hostile@v1.0.0/crd.yaml': crd(
    'hostile.example.org',
    `{size: {type: string, description: ${quoted}, default: ${quoted}, enum: [${quoted}]}, __proto__: {type: string, description: ${quoted}}, constructor: {type: object, properties: {toString: {type: string}}}, ${quoted}: {type: string}}`,
  ),
  'team/hostile@v1.0.0/examples/db.yaml': `apiVersion: hostile.example.org/v1
kind: Db
metadata: {name: ${quoted}}
spec: {size: ${quoted}} # ${HOSTILE}
`,
  'team/old@v0.1.0/.registry/app.yaml': `title: Old
permissionScope: Cluster
category: ${quoted}
keywords: [${quoted}]
overviewShort: ${quoted}
readme: ${quoted}
`,
  'team/old@v0.1.0/.registry/resources/h/group.yaml': `title: ${quoted}\noverviewShort: ${quoted}\nreadme: ${quoted}\n`,
  'team/old@v0.1.0/.registry/resources/h/icon.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" onload="hostile()"><script>hostile()</script></svg>',
  'team/old@v0.1.0/.registry/resources/h/db.crd.yaml': crd(
    'old.example.org',
    `{size: {type: string, description: ${quoted}}}`,
  ),
  'team/old@v0.1.0/.registry/resources/h/db.resource.yaml': `id: db\ntitle: ${quoted}\ncategory: ${quoted}\noverviewShort: ${quoted}\nreadme: ${quoted}\n`,
  'team/old@v0.1.0/.registry/resources/h/db.ui-schema.yaml': `version: 0.5
configSections:
- title: ${quoted}
  items:
  - {name: size, path: spec.size, title: ${quoted}, description: ${quoted}, default: ${quoted}, enum: [${quoted}], controlType: ${quoted}}
  - {name: other, path: __proto__.polluted, default: 1, customRegex: ${quoted}}
`,
}

/** A package whose ui-schema has sections for some of the fields, in an order of its own. */
export const FORMS: Readonly<Record<string, string>> = {
  'team/forms@v0.1.0/.registry/app.yaml': 'title: Forms\npermissionScope: Cluster\n',
  'team/forms@v0.1.0/.registry/resources/db.crd.yaml': crd(
    'forms.example.org',
    `{${['color', 'disk', 'other', 'region', 'size', 'zone'].map(name => `${name}: {type: string}`).join(', ')}}`,
  ).replace(
    '{type: object, properties: {spec',
    '{type: object, required: [apiVersion, kind], properties: {spec',
  ),
  'team/forms@v0.1.0/.registry/resources/db.ui-schema.yaml': `configSections:
- title: Name
  items:
  - {path: metadata.name, title: Its name, description: Of the team.}
  - {path: metadata.namespace}
  - {path: metadata.labels}
- title: Place
  items: [{path: spec.zone}, {path: spec.region}]
- items: [{path: spec.color}]
- title: Size
  items: [{path: spec.disk}]
`,
}

const definition = (kind: string, plural: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: x${plural}.own.example.org}
spec:
  group: own.example.org
  names: {kind: X${kind}, plural: x${plural}}
  claimNames: {kind: ${kind}, plural: ${plural}}
  versions:
  - {name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}
`

const composition = (kind: string, name: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: ${name}}
spec:
  compositeTypeRef: {apiVersion: own.example.org/v1, kind: X${kind}}
  mode: Pipeline
  pipeline: [{step: a, functionRef: {name: function-a}}]
`

/** A package with two composites of one group, each with a claim and a Composition. */
export const CLAIMS: Readonly<Record<string, string>> = {
  'team/own@v1.0.0/crossplane.yaml': `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: own}
`,
  'team/own@v1.0.0/a.yaml': definition('Net', 'nets'),
  'team/own@v1.0.0/b.yaml': definition('Disk', 'disks'),
  'team/own@v1.0.0/c.yaml': composition('Net', 'of-nets'),
  'team/own@v1.0.0/d.yaml': composition('Disk', 'of-disks'),
}

const requiring = (name: string, constraint: string) => `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: ${name}}
spec: {dependsOn: [{provider: registry.example.org/team/sql, version: ${JSON.stringify(constraint)}}]}
`

const bare = `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: tags}
`

/** Packages that require a version of another, CRDs of every kind, and a package with tags that are no versions. */
export const REQUIRING: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SAMPLES).filter(([path]) => path.startsWith('team/sql@'))),
  'team/pinned@v1.0.0/crossplane.yaml': requiring('pinned', '<v1.1.0'),
  'team/ahead@v1.0.0/crossplane.yaml': requiring('ahead', '>=v9.0.0'),
  'team/app@v0.1.0/.registry/app.yaml': `title: App
permissionScope: Namespaced
dependsOn:
- crd: db.sql.example.org/v1
- crd: "*.core.crossplane.io/v1alpha1"
- crd: kubernetesapplications.workload.crossplane.io/v1alpha1
- crd: absents.other.example.org/v1alpha1
`,
  'team/tags@v1.0.0/crossplane.yaml': bare,
  'team/tags@v1.1.0-rc.1/crossplane.yaml': bare,
  'team/tags@latest/crossplane.yaml': bare,
  'team/tags@0a1b2c3d/crossplane.yaml': bare,
}
