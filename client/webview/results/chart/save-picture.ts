/** A chart as a standalone picture, with the theme's colors embedded, since a file has no theme. */
import { t } from '../ui/l10n.ts';

const styled = [
  'fill',
  'stroke',
  'stroke-width',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
] as const;

/** Twice the on-screen size, so that the picture stays sharp in a document. */
const pixelRatio = 2;

export function svgText(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement; // a clone has the same class
  const originals = [picture, ...picture.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    for (const name of styled) copies[index]?.setAttribute(name, style.getPropertyValue(name));
    copies[index]?.removeAttribute('class');
  });
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  background.setAttribute('width', '100%');
  background.setAttribute('height', '100%');
  background.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(background);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Returns a PNG file as base64. */
export async function pngOf(picture: SVGSVGElement): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture).toWellFormed())}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.width.baseVal.value * pixelRatio;
  canvas.height = picture.height.baseVal.value * pixelRatio;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error(t('This machine cannot draw pictures'));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}
