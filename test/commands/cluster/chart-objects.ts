/** The labels of all objects of the Helm chart of a current Crossplane. */
export const CHART_LABELS = {
  app: 'crossplane',
  'app.kubernetes.io/managed-by': 'Helm',
  'app.kubernetes.io/name': 'crossplane',
  'app.kubernetes.io/part-of': 'crossplane',
  'helm.sh/chart': 'crossplane-2.3.4',
}

/** The Deployment of the chart, by which a current Crossplane is recognized. */
export const CHART_DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'crossplane', namespace: 'default', labels: CHART_LABELS},
  spec: {
    selector: {matchLabels: {app: 'crossplane'}},
    template: {
      metadata: {labels: {app: 'crossplane'}},
      spec: {containers: [{name: 'crossplane', image: 'xpkg.crossplane.io/crossplane/crossplane:v2.3.4'}]},
    },
  },
}
