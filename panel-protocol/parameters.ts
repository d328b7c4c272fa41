/** Core's parameter types and rules for the form. All exports are pure. */
export type { EnteredValue, ParameterField } from '../core/src/parameters/parameter-field.ts';
export { isoDate, isoLocalTime, relativeMoment } from '../core/src/parameters/relative-dates.ts';
export { splitList } from '../core/src/parameters/split-list.ts';
