/** Core's parameter types and rules for the form. All exports are pure. */
export type { EnteredValue, ParameterField } from '#core/parameters/parameter-field.ts';
export { isoDate, isoLocalTime, relativeMoment } from '#base/values/relative-dates.ts';
export { listItem, splitList } from '#base/values/split-list.ts';
