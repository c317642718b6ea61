import type {LintRule} from '../lint-rule.js'
import {DEPENDENT_APP, NAMESPACED_APP, WIDGET_CRD} from './example-files.js'

/** An app.yaml that depends on one CRD. */
function requiring(crd: string): {readonly 'app.yaml': string} {
  return {'app.yaml': `${DEPENDENT_APP}- crd: "${crd}"\n`}
}

/** Rules for dependencies, and for the permissions that they grant. */
export const DEPENDENCY_RULES: readonly LintRule[] = [
  {
    id: 'depends-on',
    severity: 'error',
    title: 'An entry of dependsOn does not name exactly one dependency',
    why: 'An entry is satisfied by a CRD or by a package. An entry with both or neither, or with a name that starts with a dot, has no meaning.',
    advice: 'Give each entry either a crd, as RESOURCE.GROUP/VERSION, or a package.',
    failing: {
      files: {
        'app.yaml': `${DEPENDENT_APP}- crd: gears.example.net/v1\n  package: example/gears\n`,
      },
    },
    passing: {files: requiring('gears.example.net/v1')},
  },
  {
    id: 'depends-on-nothing',
    severity: 'warning',
    title: 'A dependency names core.crossplane.io, which has no kinds',
    why: 'Half of all packages depend on `*.core.crossplane.io/v1alpha1`, but no release of Crossplane ever defined a CRD in that group. The dependency is always satisfied and grants no permissions.',
    advice: 'Remove the entry.',
    failing: {files: requiring('*.core.crossplane.io/v1alpha1')},
    passing: {files: requiring('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'depends-on-name',
    severity: 'warning',
    title: 'A dependency does not use the plural of the CRD',
    why: 'Permissions are granted on the resource name as written here, and Kubernetes identifies resources by their plurals: with a singular or a kind, the controller has no permissions. Lint knows the kinds of the package itself and of Crossplane v0.11 and v0.12.',
    advice: 'Use the plural in lowercase.',
    failing: {files: requiring('mysqlinstance.database.crossplane.io/v1alpha1')},
    passing: {files: requiring('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'depends-on-version',
    severity: 'warning',
    title: 'A dependency requires a version that the CRD does not have',
    why: 'No package can satisfy it. Lint knows the kinds of the package itself and of Crossplane v0.11 and v0.12.',
    advice: 'Use a version that the CRD serves, or omit the version if any version is sufficient.',
    failing: {files: requiring('mysqlinstances.database.crossplane.io/v1beta1')},
    passing: {files: requiring('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'depends-on-package',
    severity: 'warning',
    title: 'A dependency on a package names a version or an invalid repository',
    why: 'Any version of a package satisfies a dependency on it: users decide which one they install. A tag or digest after the repository has no effect.',
    advice:
      'Use the repository alone, such as example/gears, or depend on the CRD and version that the controller uses.',
    failing: {files: {'app.yaml': `${DEPENDENT_APP}- package: example/gears:v0.1.0\n`}},
    passing: {files: {'app.yaml': `${DEPENDENT_APP}- package: example/gears\n`}},
  },
  {
    id: 'permissions-core',
    severity: 'error',
    title: 'The package requires permissions on API groups of Kubernetes',
    why: 'Every dependency grants all permissions on the kinds it names. In groups of Kubernetes (the core group, groups without a dot, and groups that end in k8s.io) they are only granted if the user passes --allow-core-permissions; without it, rendering fails.',
    advice:
      'Remove the dependency if the controller does not need it. Otherwise, document the use of the permissions.',
    failing: {files: requiring('deployments.apps/v1')},
    passing: {files: requiring('kubernetesapplications.workload.crossplane.io/v1alpha1')},
  },
  {
    id: 'permissions-wildcard',
    severity: 'warning',
    title: 'The package requires permissions on every kind of a group',
    why: 'A dependency on `*.GROUP` grants all permissions on every kind of the group, including kinds that are added later. Groups that can have claims are not reported for a package with a controller of its own or with classes: the controller writes the status of claims when it binds them, which only permissions on the whole group include.',
    advice:
      'List the kinds whose objects the package creates, changes or reads, one entry each. An entry for a kind grants no permissions on its status, as in Crossplane v0.12: keep the wildcard if a controller updates the status of objects of the group.',
    failing: {files: requiring('*.database.crossplane.io/v1alpha1')},
    passing: {files: requiring('mysqlinstances.database.crossplane.io/v1alpha1')},
  },
  {
    id: 'permissions-unreachable',
    severity: 'warning',
    title: 'A Namespaced package depends on a cluster-scoped kind',
    why: "The permissions of a Namespaced package are bound in its namespace and do not cover cluster-scoped objects, so the controller's requests are denied. Lint knows the scopes of kinds of Crossplane v0.11 and v0.12 and of Kubernetes; other kinds are not checked.",
    advice: 'Set permissionScope to Cluster, or remove the dependency.',
    failing: {
      files: {
        'app.yaml': `${NAMESPACED_APP}dependsOn:\n- crd: compositions.apiextensions.crossplane.io/v1alpha1\n`,
        'crd.yaml': WIDGET_CRD,
      },
    },
    passing: {
      files: {
        'app.yaml': `${NAMESPACED_APP}dependsOn:\n- crd: mysqlinstances.database.crossplane.io/v1alpha1\n`,
        'crd.yaml': WIDGET_CRD,
      },
    },
  },
]
