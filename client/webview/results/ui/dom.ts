/** Small helpers for creating elements. Text always becomes text nodes, so external text is never parsed as markup. */

type Child = Node | string | undefined | false;

export interface Properties {
  readonly class?: string;
  readonly id?: string;
  readonly role?: string;
  readonly title?: string;
  readonly tabIndex?: number;
  readonly hidden?: boolean;
  readonly aria?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly on?: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (properties.class !== undefined) made.className = properties.class;
  if (properties.id !== undefined) made.id = properties.id;
  if (properties.role !== undefined) made.setAttribute('role', properties.role);
  if (properties.title !== undefined) made.title = properties.title;
  if (properties.tabIndex !== undefined) made.tabIndex = properties.tabIndex;
  if (properties.hidden !== undefined) made.hidden = properties.hidden;
  for (const [name, value] of Object.entries(properties.aria ?? {})) made.setAttribute(`aria-${name}`, value);
  for (const [name, value] of Object.entries(properties.data ?? {})) made.dataset[name] = value;
  for (const [type, listener] of Object.entries(properties.on ?? {})) {
    made.addEventListener(type, listener as EventListener); // the mapped type above ties each listener to its event
  }
  for (const child of children) if (child !== undefined && child !== false) made.append(child);
  return made;
}

/** Shapes on a 16 x 16 grid in the text color. */
const icons = {
  again: 'M12.8 4.6A6 6 0 1 0 14 8h-1.2A4.8 4.8 0 1 1 11.9 5.4L10 7.3h4.4V2.9z',
  stop: 'M4 4h8v8H4z',
  pin: 'M9.6 1.6 14.4 6.4l-1 1-.9-.2-2.8 2.8-.2 2.7-1 1-3-3L2 14.2l-.7-.7 3.5-3.5-3-3 1-1 2.7-.2 2.8-2.8-.2-.9z',
  close: 'm8 7.1 4-4 .9.9-4 4 4 4-.9.9-4-4-4 4-.9-.9 4-4-4-4 .9-.9z',
  edit: 'M11.5 1.8 14.2 4.5 5.4 13.3 1.8 14.2 2.7 10.6zM3.7 11l-.5 1.8 1.8-.5 6.3-6.3-1.3-1.3z',
  error: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM7.4 4.4v4.8h1.2V4.4zm0 6v1.3h1.2v-1.3z',
  shield:
    'M8 1.2 13.5 3v4.3c0 3.3-2.3 6.1-5.5 7.5-3.2-1.4-5.5-4.2-5.5-7.5V3zM8 2.5 3.7 3.9v3.4c0 2.6 1.7 4.9 4.3 6.1z',
  cancelled:
    'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.2a5.3 5.3 0 0 0-4.1 8.6l7.4-7.4A5.3 5.3 0 0 0 8 2.7zm4.1 2-7.4 7.4a5.3 5.3 0 0 0 7.4-7.4z',
  plug: 'M5 1.5h1.2V5h3.6V1.5H11V5h1.5v3A4.5 4.5 0 0 1 8.6 12.4V15H7.4v-2.6A4.5 4.5 0 0 1 3.5 8V5H5z',
  question:
    'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.2a5.3 5.3 0 1 0 0 10.6A5.3 5.3 0 0 0 8 2.7zM7.4 10.4h1.3v1.3H7.4zM8 4.2c1.4 0 2.4.9 2.4 2.1 0 1-.6 1.5-1.2 2-.5.4-.6.6-.6 1.2H7.4c0-1 .4-1.5 1.1-2 .5-.4.7-.6.7-1.1 0-.6-.5-1-1.2-1s-1.2.4-1.2 1.2H5.6c0-1.4 1-2.4 2.4-2.4z',
  calendar:
    'M4.4 1.2h1.2v1.6h4.8V1.2h1.2v1.6h2.2v11.4H2.2V2.8h2.2zM3.4 4v2.2h9.2V4zM3.4 7.4V13h9.2V7.4zM5 8.8h1.6v1.4H5zm2.4 0H9v1.4H7.4zm2.4 0h1.6v1.4H9.8z',
  previous: 'M8 4.6 13.3 10l-.9.9L8 6.4 3.6 10.9l-.9-.9z',
  next: 'M8 11.4 2.7 6l.9-.9L8 9.6l4.4-4.5.9.9z',
  query: 'M5.6 3.6 1.2 8l4.4 4.4.9-.9L3 8l3.5-3.5zm4.8 0-.9.9L13 8l-3.5 3.5.9.9L14.8 8z',
  maximize: 'M9 2h5v5h-1.2V4.1l-3.4 3.4-.9-.9 3.4-3.4H9zM2 9h1.2v2.9l3.4-3.4.9.9-3.4 3.4H7V14H2z',
  more: 'M2.4 6.8h2.4v2.4H2.4zm4.4 0h2.4v2.4H6.8zm4.4 0h2.4v2.4h-2.4z',
  filter: 'M15 2v1.7L10 8.4V14H6V8.4L1 3.7V2zM7 8v5h2V8l5-4.8V3H2v.2z',
  compare:
    'M5 .7 1.4 4.3 5 7.9l.9-.9-2.1-2.1H13V3.7H3.8l2.1-2.1zM11 7.4l-.9.9 2.1 2.1H3v1.2h9.2l-2.1 2.1.9.9 3.6-3.6z',
  copy: 'M5 1.8h8.2V12H11v2.2H2.8V4H5zM6.2 3v7.8H12V3zM5 5.2H4V13h5.8v-1H5z',
} as const;
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', icons[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

export function button(
  label: string,
  onClick: () => void,
  options: { readonly kind?: 'primary' | 'secondary' | 'link'; readonly title?: string } = {},
): HTMLButtonElement {
  const made = element('button', { class: `button ${options.kind ?? 'secondary'}` }, label);
  if (options.title !== undefined) made.title = options.title;
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

export function iconButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { class: 'icon-button', title: label, aria: { label } });
  made.type = 'button';
  made.append(icon(name));
  made.addEventListener('click', onClick);
  return made;
}

/** Returns whether the page and this element have the focus: an unfocused page must not grab it. */
export function holdsFocus(place: HTMLElement): boolean {
  return document.hasFocus() && place.contains(document.activeElement);
}

export function optionOf(value: string, label: string): HTMLOptionElement {
  const option = element('option', {}, label);
  option.value = value;
  return option;
}
