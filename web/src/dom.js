// Elements from words; names of a mechanism become text, never markup.

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// A number as people read it: four digits
export function told(value, unit = "") {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  let text;
  if (size === 0) text = "0";
  else if (size >= 1e5 || size < 1e-3) text = value.toExponential(3).replace("e+", "e").replace(/\.?0+e/, "e");
  else text = Number(value.toPrecision(4)).toString();
  return unit ? `${text.replace("-", "−")} ${unit}` : text.replace("-", "−");
}

export function short(value) {
  for (const [factor, prefix] of PREFIXES) {
    if (Math.abs(value) >= factor * 0.9995) return `${Number((value / factor).toPrecision(3))} ${prefix}`;
  }
  return value === 0 ? "0 " : `${value.toExponential(1)} `;
}
