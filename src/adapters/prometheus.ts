import {collectDefaultMetrics, Counter, Gauge, Histogram, Registry} from 'prom-client'
import type {Metrics, RequestCount} from '../reconcile/metrics.js'

/** Creates metrics with the names of controller-runtime, and those of the process. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({register: registry})
  const registers = [registry]
  const passes = new Counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Passes over an object, by controller and result',
    labelNames: ['controller', 'result'],
    registers,
  })
  const errors = new Counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Passes over an object that ended with an error, by controller',
    labelNames: ['controller'],
    registers,
  })
  const seconds = new Histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Duration of a pass over an object, by controller',
    labelNames: ['controller'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const depth = new Gauge({
    name: 'workqueue_depth',
    help: 'Objects that wait for a pass, by controller',
    labelNames: ['name'],
    registers,
  })
  const requests: (() => readonly RequestCount[])[] = []
  const states = new Gauge({
    name: 'kubectl_crossplane_requests',
    help: 'Requests of packages, by namespace, kind and conditions',
    labelNames: ['namespace', 'kind', 'ready', 'synced', 'reason'],
    registers,
    collect() {
      states.reset()
      for (const {count, ...labels} of requests.flatMap(counts => counts())) states.set(labels, count)
    },
  })
  return {
    requests: counts => requests.push(counts),
    reconciled(controller, result, duration) {
      passes.inc({controller, result})
      if (result === 'error') errors.inc({controller})
      seconds.observe({controller}, duration)
    },
    queued: (name, length) => depth.set({name}, length),
    text: async () => ({type: registry.contentType, text: await registry.metrics()}),
  }
}
