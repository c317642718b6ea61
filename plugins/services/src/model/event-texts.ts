/** The messages that crossplane-runtime v0.9.0 gives to its Events, by reason. */
const EVENT_TEXTS = {
  SelectedResourceClass: 'Selected matching resource class',
  DefaultResourceClass: 'Selected default resource class',
  ManagedResourceNotFound: 'Referenced managed resource not found',
  CreatedManagedResource: 'Successfully created managed resource',
  WaitingToBind: 'Managed resource is not yet bindable',
  BoundManagedResource: 'Successfully bound managed resource',
  UnboundManagedResource: 'Successfully unbound managed resource',
  PropagatedDataFrom: 'Data propagated from secret',
  PropagatedDataTo: 'Data propagated to secret',
  CreatedExternalResource: 'Successfully requested creation of external resource',
  UpdatedExternalResource: 'Successfully requested update of external resource',
  DeletedExternalResource: 'Successfully requested deletion of external resource',
} as const

/** The reason of an Event that reports success or waiting. */
export type NormalReason = keyof typeof EVENT_TEXTS

/** An Event that reports success or waiting. */
export interface NormalEvent {
  readonly type: 'Normal'
  readonly reason: NormalReason
  readonly message: string
  readonly source: string
}

/** Returns the Event with a reason; `source` is the name of the controller. */
export function normalEvent(reason: NormalReason, source: string): NormalEvent {
  return {type: 'Normal', reason, message: EVENT_TEXTS[reason], source}
}
