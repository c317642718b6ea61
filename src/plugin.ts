/**
 * The entry point for extensions: `import {…} from 'kubectl-crossplane/plugin'`. Those of this repository are npm
 * workspaces under `plugins/` with oclif commands, which package.json lists under `oclif.plugins` and the build bundles;
 * `plugins/trace` is an example. To change `oclif.plugins` of an installed package has no effect: extensions of others are
 * programs named `kubectl-crossplane-NAME` on the PATH, as for kubectl. Names that are exported here are stable between
 * minor releases; everything else in the package is internal.
 *
 * A command that exits with 1 for what it finds has `static isCheck = true`: then its own failures exit with 7. With
 * `static mostUsed = ['namespace']` its short help shows only these flags.
 */

/**
 * A failure that the user can fix: a stable code, a message, and suggestions. Everything else is reported as a bug.
 */
export {CrossplaneError, type ErrorCode, withSuggestions} from './errors.js'
/** A diagnostic of an input or a result. */
export type {Diagnostic, Severity, Subject} from './diagnostic.js'

/** The status of a check that found something; a command exits with it. */
export {FOUND} from './cli/exit-code.js'

/** A positional argument that is never read from standard input. */
export {argument} from './cli/flags/argument.js'
/** `--kubeconfig`, `--context`, `--as` and so on, with the names of kubectl. */
export {clusterFlags} from './cli/flags/cluster.js'
/** The types of parsed flags. */
export type {FlagValues} from './cli/flags/flag-values.js'
/** `--color`, `--quiet` and `--debug`, which every command has. */
export {commonFlags} from './cli/flags/global.js'
/** `-o` for reports, for lists and for Kubernetes objects. */
export {listOutputFlag, objectOutputFlag, reportOutputFlag} from './cli/flags/output.js'
/** `--packages`, `--as-package` and `--platform`. */
export {packageFlags} from './cli/flags/package.js'
/** `--default-source`, and the flags of registries and of the cache. */
export {pullFlags} from './cli/flags/pull.js'

/** Prints a document with `apiVersion` and `kind`, an object, or text. */
export {formatDocument, formatObject, type OutputFormat, show} from './cli/output/show.js'
/** Prints warnings and notes on standard error. */
export {showNotes, showWarnings} from './cli/output/show.js'
/** Prints a list in the formats of `listOutputFlag`. */
export {type List, showList} from './cli/output/show-list.js'
/** Aligns a table as kubectl does; makes untrusted text safe for a terminal. */
export {formatTable, type Row} from './cli/output/table.js'
export {plainText} from './cli/output/plain-text.js'
/** Draws trees with the lines of `package tree`. */
export {type DrawnNode, drawTree} from './cli/output/draw-tree.js'
/** One text for each line, with line breaks. */
export {lines} from './cli/output/lines.js'
/** Colors, if the terminal and the flags allow them. */
export {type Paint, painter} from './cli/output/paint.js'
/** A spinner on a terminal, lines elsewhere. */
export type {Progress} from './cli/ports/progress.js'
export {progress} from './cli/output/progress.js'

/** Connects to the cluster that `clusterFlags` select, for reading: get, list, discovery and watch. */
export {type ClusterReader, connectReader, type ReadableCluster} from './cli/ports/cluster-reader.js'
export type {
  GetOptions,
  ListOptions,
  ResourceKind,
  WatchEvent,
  WatchOptions,
} from './cluster/api/cluster-api.js'
/** The kinds that a cluster serves. */
export type {ApiResource, Discovery} from './cluster/api/discovery.js'
/** An object of a cluster, and what identifies one. */
export type {ObjectName} from './kubernetes/object-name.js'
export type {KubernetesObject} from './kubernetes/kubernetes-object.js'
/** Reads unchecked JSON: returns an empty value for one of another type. */
export {asObject, asObjects, asText, isJsonArray, isJsonObject} from './yaml/json-value.js'
export type {JsonObject, JsonValue} from './yaml/json-value.js'
/** Runs asynchronous work for each item, with a maximum at a time. */
export {mapConcurrent} from './map-concurrent.js'
/** Formats untrusted text and commands for messages. */
export {commandLine, listSome, nearest, quoted, shellWord} from './text.js'

/** Finds, pulls and reads packages by the flags. */
export {packagePorts} from './cli/ports/package-ports.js'
export type {PackagePorts} from './locate/located-package.js'
export {locatePackage} from './locate/locate-package.js'
export {parsePackageReference, type PackageReference} from './reference/package-reference.js'
export type {Package} from './unpack/package.js'
export {readPackage} from './unpack/read-package.js'
