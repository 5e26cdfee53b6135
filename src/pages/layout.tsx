import type { ComponentChildren, VNode } from 'preact';
import type { Assets } from './assets.js';

/** The frame of every page. */
export function Layout(props: {
  assets: Assets;
  title: string;
  children: ComponentChildren;
}): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{props.title}</title>
        <link rel="stylesheet" href={props.assets['page.css']} />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>{props.children}</main>
      </body>
    </html>
  );
}
