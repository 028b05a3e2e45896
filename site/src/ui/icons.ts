/** Apart, since a script draws it on cards. */
export const heartDrawing =
  '<path d="M12 20.5C5 15.5 3 12 3 8.6A4.6 4.6 0 0 1 12 7a4.6 4.6 0 0 1 9 1.6c0 3.4-2 6.9-9 11.9z"/>';

/** Contents of each icon's `<svg>`: 24 px grid, 2 px round stroke, drawn for this project. */
export const icons = {
  favourite: heartDrawing,
  share: '<path d="M12 15V3.5M7.5 8 12 3.5 16.5 8M5 12v7.5h14V12"/>',
  contact:
    '<path d="M3.5 20.5 5 16a8.5 8.5 0 1 1 3.3 3.1z"/><path d="M9.2 8.2c-.9 3.4 3.2 7.4 6.6 6.5l.5-1.7-2-1.1-1 .8c-1-.4-1.7-1.1-2.1-2.1l.8-1-1.1-1.9z"/>',
  clock: '<circle cx="12" cy="12.5" r="8.5"/><path d="M12 7.5v5l3.2 2M9.5 1.5h5"/>',
  pin: '<path d="M12 21.5c-4.6-4.7-6.8-8.2-6.8-11.4a6.8 6.8 0 0 1 13.6 0c0 3.2-2.2 6.7-6.8 11.4z"/><circle cx="12" cy="10" r="2.3"/>',
  check: '<path d="m4.5 12.5 5 5 10-11"/>',
  warning: '<path d="M12 3.5 2.5 20h19zM12 10v4.5M12 17.2v.1"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v6M12 7.2v.1"/>',
  close: '<path d="m5.5 5.5 13 13M18.5 5.5l-13 13"/>',
  menu: '<path d="M3.5 6.5h17M3.5 12h17M3.5 17.5h11"/>',
  search: '<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5.5 5.5"/>',
  left: '<path d="M15 4.5 7.5 12l7.5 7.5"/>',
  right: '<path d="m9 4.5 7.5 7.5L9 19.5"/>',
  up: '<path d="M4.5 15 12 7.5l7.5 7.5"/>',
  down: '<path d="m4.5 9 7.5 7.5L19.5 9"/>',
  top: '<path d="M4.5 3.5h15M5.5 14 12 7.5l6.5 6.5M12 8v13"/>',
  sun: '<circle cx="12" cy="12" r="4.2"/><path d="M12 2v2.2M12 19.8V22M2 12h2.2M19.8 12H22M4.9 4.9l1.6 1.6M17.5 17.5l1.6 1.6M4.9 19.1l1.6-1.6M17.5 6.5l1.6-1.6"/>',
  moon: '<path d="M20 14.2A8.3 8.3 0 0 1 9.8 4 8.3 8.3 0 1 0 20 14.2z"/>',
  globe:
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c-5.3 5.5-5.3 12.5 0 18M12 3c5.3 5.5 5.3 12.5 0 18"/>',
  bell: '<path d="M5 17.5c1.5-1.5 2-3.5 2-7a5 5 0 0 1 10 0c0 3.5.5 5.5 2 7zM12 5.5V3M9.8 20.5h4.4"/>',
  camera: '<path d="M3 7.5h4l2-3h6l2 3h4v12H3z"/><circle cx="12" cy="13" r="3.7"/>',
  pause: '<path d="M8 5v14M16 5v14"/>',
  play: '<path d="M7 4.5v15l12-7.5z"/>',
  edit: '<path d="m4 20 1-4.5L16.5 4l3.5 3.5L8.5 19zM14 6.5l3.5 3.5"/>',
  grip: '<path d="M9 5.5h.1M9 12h.1M9 18.5h.1M15 5.5h.1M15 12h.1M15 18.5h.1"/>',
  bin: '<path d="M4 6.5h16M9 6.5v-3h6v3M6 6.5l1 14h10l1-14M10 10.5v6M14 10.5v6"/>',
  download: '<path d="M12 3.5V15M7.5 10.5 12 15l4.5-4.5M5 15v4.5h14V15"/>',
  refresh: '<path d="M20 12a8 8 0 1 1-2.3-5.6L20 8.5M20 3.5v5h-5"/>',
  plus: '<path d="M12 4.5v15M4.5 12h15"/>',
  people:
    '<circle cx="9" cy="8.5" r="3.7"/><path d="M2.5 20c.5-3.9 2.8-6 6.5-6s6 2.1 6.5 6M15.5 5.2a3.7 3.7 0 0 1 0 6.6M17.5 14.3c2.3.7 3.7 2.6 4 5.7"/>',
  coins:
    '<ellipse cx="12" cy="6.5" rx="7.5" ry="3"/><path d="M4.5 6.5V12c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3V6.5M4.5 12v5.5c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3V12"/>',
  board: '<path d="M3.5 4.5h17v15h-17zM7 8.5h4.5V13H7zM14.5 8.5h2.5M14.5 12h2.5M7 16h10"/>',
  note: '<path d="M5 3.5h14v17l-3.5-2.5-3.5 2.5-3.5-2.5L5 20.5zM8.5 8.5h7M8.5 12.5h7"/>',
  person: '<circle cx="12" cy="8" r="4.2"/><path d="M4 21c.6-4.6 3.7-7 8-7s7.4 2.4 8 7"/>',
  out: '<path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4"/>',
  home: '<path d="M3 9.5 5.5 4h13L21 9.5M4.5 12v8h15v-8M3 9.5a2.25 2.25 0 0 0 4.5 0 2.25 2.25 0 0 0 4.5 0 2.25 2.25 0 0 0 4.5 0 2.25 2.25 0 0 0 4.5 0zM10 20v-5h4v5"/>',
  box: '<path d="M3.5 8 12 3.5 20.5 8v8.5L12 21l-8.5-4.5zM3.5 8l8.5 4.5L20.5 8M12 12.5V21"/>',
  queue: '<path d="M8.5 6h12M8.5 12h12M8.5 18h12M3.5 6h.1M3.5 12h.1M3.5 18h.1"/>',
  chart: '<path d="M4 3.5V20.5h17M8.5 16v-4M13 16V7M17.5 16v-6"/>',
  gear: '<path d="M4 7h9M19 7h1M4 17h1M11 17h9"/><circle cx="16" cy="7" r="2.6"/><circle cx="8" cy="17" r="2.6"/>',
  system: '<circle cx="12" cy="12" r="9"/><path d="M12 3v18M15.5 4v16M19 6.5v11"/>',
  heart: '<path d="M2.5 12h4.5l2.5-6 4.5 12 2.5-6h5"/>',
  mail: '<path d="M3 5.5h18v13H3zM3 6.5l9 7 9-7"/>',
  flag: '<path d="M5 21.5v-18M5 4.5c5-2.5 8 2.5 14 0v9c-6 2.5-9-2.5-14 0"/>',
} as const;

export type IconName = keyof typeof icons;
