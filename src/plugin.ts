/**
 * The entry point for extensions: `import {…} from 'kubectl-crossplane/plugin'`. Those of this repository are npm
 * workspaces under `plugins/` with oclif commands, which package.json lists under `oclif.plugins` and the build bundles;
 * `plugins/trace` is an example, `plugins/template-stacks` one with several commands. To change `oclif.plugins` of an
 * installed package has no effect: extensions of others are programs named `kubectl-crossplane-NAME` on the PATH, as for
 * kubectl. Names that are exported here are stable between minor releases; everything else in the package is internal.
 *
 * A command that exits with 1 for what it finds has `static isCheck = true`: then its own failures exit with 7. With
 * `static mostUsed = ['namespace']` its `--help` shows only these flags.
 */

/**
 * A failure that the user can fix: a stable code, a message, and suggestions. Everything else is reported as a bug.
 */
export {CrossplaneError, type ErrorCode, reasonOf, withSuggestions} from './errors.js'
/** A diagnostic of an input or a result. */
export type {Diagnostic, Severity, Subject} from './diagnostic.js'

/** Prints an error with its suggestions, as commands do, and returns the exit status: for programs without commands. */
export {reportFailure} from './cli/shell/report-failure.js'
/** The status of a check that found something; a command exits with it. */
export {FOUND, INCOMPLETE} from './cli/shell/exit-code.js'

/** Maps the IDs of several commands to their modules, of which each is imported when it runs. */
export {type LazyCommand, lazyCommands} from './cli/shell/lazy-commands.js'
/** A positional argument that is never read from standard input. */
export {argument} from './cli/shell/flags/argument.js'
/** `--kubeconfig`, `--context`, `--as` and so on, with the names of kubectl. */
export {clusterFlags} from './cli/cluster/cluster-flags.js'
/** Lets a flag also have names of earlier releases. */
export {formerly} from './cli/shell/flags/former-names.js'
/** The types of parsed flags. */
export type {FlagValues} from './cli/shell/flags/flag-values.js'
/** `--color`, `--quiet` and `--debug`, which every command has. */
export {commonFlags} from './cli/shell/flags/common-flags.js'
/** `-o` for reports, for lists and for Kubernetes objects. */
export {
  lintOutputFlag,
  listOutputFlag,
  objectOutputFlag,
  reportOutputFlag,
  testOutputFlag,
} from './cli/shell/flags/output-flags.js'
/** The values of `--dry-run`, which is `client` without one. */
/** `--packages`, `--as-package` and `--platform`. */
export {packageFlags} from './cli/sources/package-flags.js'
/** The packages of a catalog, what it shows of them, and the folder that it is written to. */
export {catalogFlags} from './cli/catalog/catalog-flags.js'
export {type CatalogSource, openCatalog, writeCatalog} from './cli/catalog/catalog-source.js'
export {catalogOffer, type CatalogRequirement, catalogRequirements} from './pipeline/catalog-requirements.js'
export {isStable, isVersion} from './reference/newest-version.js'
export type {CatalogEntry, CatalogPackage, CatalogVersion} from './pipeline/catalog-packages.js'
export type {SiteSink} from './pipeline/write-catalog.js'
/** Promotes the packages of one home to another. */
export {promoteFlags} from './cli/promote/promote-flags.js'
export {type HomePair, promoteHome, type PromoteFlags} from './cli/promote/promote-home.js'
export {openPromotions} from './cli/promote/open-promotions.js'
/** Reads the packages of homes and of their clusters. */
export {repositoryRoot} from './cli/files/repository-root.js'
export {homesBelow, readClusterState, readHomeState} from './cli/fleet/fleet-ports.js'
export type {LivePackage} from './pipeline/fleet/cluster-state.js'
export type {HomePackage, HomeState} from './pipeline/fleet/home-state.js'
export {formatAge, parseDuration} from './cli/shell/flags/duration.js'
export {compareText} from './reference/compare-text.js'
/** A signer in words. */
export {signerText} from './signatures/trusted-signer.js'
export {writtenFlags} from './cli/shell/flags/written-flags.js'
export {showChange} from './cli/render/output-dir.js'
/** Compares what users depend on of versions of packages, and describes what changes. */
export {compareSets, type SetComparison} from './usage/compare-sets.js'
export {changeWords} from './cli/compare/change-words.js'
/** `--index`. */
export {indexFlags} from './cli/sources/index-flags.js'
/** `--default-source`, and the flags of registries and of the cache. */
export {pullFlags} from './cli/sources/pull-flags.js'

/** Prints a document with `apiVersion` and `kind`, an object, or text. */
export {
  formatDocument,
  formatObject,
  formatObjects,
  isDocument,
  type OutputFormat,
  show,
} from './cli/shell/document/show.js'
/** Prints warnings and notes on standard error. */
export {showNotes, showWarnings} from './cli/shell/document/show.js'
/** Prints a list in the formats of `listOutputFlag`. */
export {type List, showList} from './cli/shell/document/show-list.js'
/** Aligns a table as kubectl does; makes untrusted text safe for a terminal. */
export {formatTable, type Row} from './cli/shell/text/table.js'
export {plainText} from './cli/shell/text/plain-text.js'
/** Formats the results of tests as JUnit XML. */
export {formatJunit} from './cli/shell/ci/junit.js'
/** Draws trees with the lines of `package tree`. */
export {type DrawnNode, drawTree} from './cli/shell/text/draw-tree.js'
/** One text for each line, with line breaks. */
export {lines} from './cli/shell/text/lines.js'
/** Colors, if the terminal and the flags allow them. */
export {type Paint, painter} from './cli/shell/text/paint.js'
/** A spinner on a terminal, lines elsewhere. */
export type {Progress} from './cli/shell/progress/step-event.js'
export {progress} from './cli/shell/progress/progress.js'

/** Connects to the cluster that `clusterFlags` select, for reading: get, list, discovery and watch. */
export {type ClusterReader, connectReader, type ReadableCluster} from './cli/cluster/cluster-reader.js'
export type {
  GetOptions,
  ListOptions,
  ResourceKind,
  WatchEvent,
  WatchOptions,
} from './cluster/api/cluster-api.js'
/** The flags of controllers, and their process: cluster, log, health, metrics, the Lease of the leader, and signals. */
export {controllerFlags} from './controller/controller-flags.js'
export {type ControllerProcess, openController} from './controller/controller-process.js'
/**
 * Installs and removes the packages that objects of a cluster request, as `package install` and `package uninstall` do, and
 * judges them as `package status`.
 */
export {
  type InstallSettings,
  packageInstaller,
  type PackageInstaller,
} from './controller/package-installer.js'
export {
  type ApplicableChange,
  type PlannedChange,
  type PlannedObject,
  type PlannedPackages,
} from './controller/planned-change.js'
/** What a change takes back of an object, by name. */
export {
  objectsSetByOthers,
  type OverwrittenObject,
  overwrittenObjectsText,
} from './controller/overwritten-objects.js'
export {overwrittenFields, overwrittenText, setByOthers} from './health/sides/overwritten-fields.js'
export {installerFlags} from './controller/installer-flags.js'
export {POLICY_MAP, type RequestObjects, systemNamespaceOf} from './controller/installer-query.js'
export {AUTO_LABEL} from './pipeline/cluster/requested-install.js'
/** The kinds of request objects; the object and the finalizer of a request, and the names of an era. */
export {requestKinds} from './pipeline/cluster/requested-object.js'
export {requestObject} from './render/request.js'
/** The roles of the users of a namespace with this label. */
export {MANAGED_ROLES, namespaceRoles} from './render/namespaces.js'
export {eraOf, ERAS, finalizerOf, OWN_MANAGER, recordEraOf} from './render/era.js'
/** Whether an install was made of a record that a user wrote; whether this program applied an object. */
export {isOfRecord} from './pipeline/cluster/written-record.js'
export {CONTENT_MANAGER, isAppliedBy} from './cluster/claims.js'
export {CUSTOM_RESOURCES_ANNOTATION, RUNTIME_ANNOTATION} from './render/labels.js'
export type {Era} from './render/era.js'
export type {SetInstall} from './render/install-set.js'
export type {InstallId} from './reference/install-id.js'
/** Why the Pod Security Standard `baseline` forbids the workloads among objects. */
export {privilegedReasons, workloads} from './inspect/policy/workloads.js'
/** The health of an install, and its first broken link. */
export type {InstallStatus} from './pipeline/cluster/install-status.js'
export {firstBreak} from './health/health.js'
/** The policy of a team. */
export {readPolicyFile} from './declaration/policy/read-policy.js'
export type {Policy} from './declaration/policy/policy.js'
/** Which of several rules assigns an API group. */
export {ownerRuleFor} from './resolve/solver/owner-rule.js'
/** Reads and changes a cluster; only controllers get it. */
export type {ClusterApi, Written} from './cluster/api/cluster-api.js'
/** The status of the response that a failure of the cluster is about. */
export {failureOf} from './cluster/api/cluster-failure.js'
/** The loop of controllers: caches of watched objects, a queue with one worker per key, passes with back-off. */
export {type Change, notListed, type ObjectCache, watchObjects} from './reconcile/object-cache.js'
export {workQueue, type WorkQueue} from './reconcile/work-queue.js'
export {type Outcome, runController, type RunningController} from './reconcile/run-controller.js'
/** Conditions of a status, and Events. */
export {type Condition, withCondition} from './reconcile/conditions.js'
export {type Occurrence, recordEvent} from './reconcile/record-event.js'
export type {Log, LogEntry} from './reconcile/log.js'
export type {RequestCount} from './reconcile/metrics.js'
/** Compares objects of a cluster: what was sent with what is there, and as `package diff` shows it. */
export {contentOf, readHash} from './plan/cluster/state/live-object.js'
export {maskSecrets} from './plan/cluster/state/mask-secrets.js'
export {sha256Of} from './plan/sha256.js'
export {jsonEqual} from './yaml/json-equal.js'
export {showDiff} from './cli/install/show-diff.js'
export type {ClusterDiff, ObjectDiff} from './pipeline/cluster/diff.js'
/** The kinds of the definitions of template stacks. */
export {DEFINITION_KINDS} from './render/era.js'
/** The kinds that a cluster serves. */
export type {ApiResource, Discovery} from './cluster/api/discovery.js'
/** An object of a cluster, and what identifies one. */
export type {ObjectName} from './kubernetes/object-name.js'
export type {KubernetesObject} from './kubernetes/kubernetes-object.js'
/** The API group in an `apiVersion`; the identity of an object, as data and for messages. */
export {groupOf, nameOf, objectKey, objectText, versionOf} from './kubernetes/object-key.js'
/** The kinds of Kubernetes itself. */
export {BUILTIN_KINDS, builtinOfKind} from './kubernetes/builtin-kinds.js'
export {pluralName} from './kubernetes/plural-name.js'
export {timeText} from './kubernetes/time-text.js'
/** Cuts text as the package manager does, for labels. */
export {LABEL_LENGTH, truncate} from './render/truncate.js'
/** Reads unchecked JSON: returns an empty value for one of another type. */
export {
  asObject,
  asObjects,
  asText,
  asTexts,
  formatPath,
  isJsonArray,
  isJsonObject,
} from './yaml/json-value.js'
export {mergePatched} from './yaml/merge-patch.js'
export type {FieldPath, JsonObject, JsonValue} from './yaml/json-value.js'
/** Runs asynchronous work for each item, with a maximum at a time. */
export {mapConcurrent} from './map-concurrent.js'
/** Groups a list by a key; leaves out the fields of an object that are undefined. */
export {grouped} from './grouped.js'
export {present} from './present.js'
/** Formats untrusted text and commands for messages. */
export {commandLine, listAll, listSome, nearest, quoted, shellWord} from './text.js'

/** Reads the files that a command line names, and standard input for `-`. */
export {inputFiles} from './cli/files/input-files.js'
export type {InputFile} from './render/written-input.js'
/** Opens a folder for writing; the file of an object in a folder. */
export {clock, readNamedFile, writableFolder} from './cli/wire.js'
export {objectFileName} from './cli/shell/text/object-file-name.js'
/** Reads the documents of a file as Kubernetes does, with the line of each part; writes bytes that never vary. */
export {readYaml, type YamlDocument} from './yaml/read-yaml.js'
export {writeJson, writeYaml} from './yaml/write-yaml.js'
export {parsePath} from './yaml/parse-path.js'
/** What an API server does with an object of a CRD: it drops unknown fields, adds defaults and validates the result. */
export {convertCrd} from './crd/convert/convert-crd.js'
export {checkInstance} from './crd/instances/check-instance.js'
export {prunedFields} from './crd/instances/pruned-fields.js'
export {withDefaults} from './crd/instances/with-defaults.js'

/** Finds, pulls and reads packages by the flags. */
export {packagePorts} from './cli/packages/package-ports.js'
export {expectFormat} from './locate/expect-format.js'
export type {LocatedPackage, PackagePorts} from './locate/located-package.js'
export {locatePackage} from './locate/locate-package.js'
/** Keeps what registries send, for another folder of the same image. */
export {readOnce} from './locate/read-once.js'
export {referenceOf} from './locate/read-templates.js'
export {formatImageName, parseImageName} from './reference/image-name.js'
export {
  isLocalPath,
  parsePackageImage,
  parsePackageReference,
  type PackageReference,
} from './reference/package-reference.js'
export type {Behavior, Package, PackageCrd} from './unpack/package.js'
/** Reads the files of a package: all of it or an error; or what can be read, with all errors. */
export {examinePackage, invalidPackage, readPackage} from './unpack/read-package.js'

/**
 * Lints packages. The static `checkTemplates` of the command `template lint` is what `package lint` checks templates with.
 */
export {lint} from './pipeline/author/lint.js'
export type {TemplateChecks, TemplatesToCheck} from './package/lint.js'
export type {EngineFindings} from './author/lint/candidate.js'
export {lintPorts} from './cli/lint/lint-ports.js'
export {showLint} from './cli/lint/show-lint.js'

/** Creates packages: the files of a `.registry/`, and their writing into a folder that has none of them. */
export {createFiles, type FileReplacement, folderFiles, replaceFiles} from './cli/files/new-files.js'
export {type FileToWrite, writeAll} from './pipeline/author/new-files.js'
export {type NewFile, scaffold} from './author/init/scaffold.js'
export type {ProjectFile} from './author/init/project-controller.js'
export {projectCrds} from './author/init/project-crds.js'
export {defaultInstanceName} from './reference/instance-name.js'
export type {PackageFile} from './unpack/package-file.js'
/** The kinds that templates create, without rendering them, and the requirement that grants access to a kind. */
export {templateKinds} from './unpack/templates/template-kinds.js'
export {unpackedChart} from './unpack/templates/unpacked-chart.js'
export {isLiteral, type TemplateKind} from './unpack/templates/template-kind.js'
export {coverageOf, requirementText} from './unpack/templates/covered-kinds.js'
/** The layout of named templates, the paths of bindings, and the annotation of the order of deletion. */
export {type NamedTemplate, namedTemplate, STATUS_TEMPLATE} from './unpack/templates/named-template.js'
/** Reads the stack.yaml of packages of January 2020. */
export {behaviorOfStackYaml} from './unpack/templates/stack-yaml.js'
export {bindingSteps} from './unpack/templates/binding-steps.js'
export {DELETION_PRIORITY} from './unpack/templates/deletion-priority.js'
