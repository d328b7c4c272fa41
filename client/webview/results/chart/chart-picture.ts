/** What a chart draws. */
import type { ChartData, ChartType } from '#panel-protocol/rows.ts';

export interface ChartNames {
  readonly x: string;
  /** The name below the axis, with the period of bars that combine times; undefined if it is `x`. */
  readonly axis?: string | undefined;
  readonly y: string;
  /** The column or columns that split the chart into series; undefined if it is not split. */
  readonly split?: string | undefined;
  /** One for each series of the data, understood without the column. */
  readonly series: readonly string[];
  /** The same in the legend, which names the column itself. */
  readonly legend: readonly string[];
}

export interface NamedChart {
  readonly type: ChartType;
  readonly data: ChartData;
  readonly names: ChartNames;
}

export interface ChartPicture extends NamedChart {
  readonly width: number;
  readonly height: number;
  /** Accessible description of the picture. */
  readonly label: string;
  /** Which part of the rows is drawn; undefined if all are. A saved picture says it, too. */
  readonly part?: string | undefined;
}
