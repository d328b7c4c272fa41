/** What a chart draws. */
import type { ChartData, ChartType } from '../../../../panel-protocol/rows.ts';

export interface ChartPicture {
  readonly type: ChartType;
  readonly data: ChartData;
  readonly width: number;
  readonly height: number;
  readonly xName: string;
  readonly yName: string;
  /** Accessible description of the picture. */
  readonly label: string;
}
