/** The demo's shop: small, the same every time, large enough that lists have more than one page. */
export function shopData() {
  const products = PRODUCTS.map(([name, category, price, stock], at) => ({
    id: at + 1,
    name,
    category,
    price,
    stock,
  }))
  const customers = PEOPLE.map(([name, city], at) => ({
    id: at + 1,
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}@example.org`,
    city,
  }))
  const orders = Array.from({ length: 60 }, (_, at) => orderOf(at + 1, products))
  const reviews = Array.from({ length: 45 }, (_, at) => ({
    id: at + 1,
    productId: ((at * 5) % products.length) + 1,
    customerId: ((at * 7) % customers.length) + 1,
    stars: ((at * 7) % 5) + 1,
    text: OPINIONS[(at * 7) % 5] ?? '',
  }))
  return { products, customers, orders, reviews }
}

function orderOf(id: number, products: readonly { readonly id: number; readonly price: number }[]) {
  const lines = Array.from({ length: 1 + (id % 3) }, (_, position) => {
    const product = products[(id * 7 + position * 4) % products.length]
    return {
      id: `${id}-${position + 1}`,
      productId: product?.id ?? 1,
      quantity: 1 + ((id + position) % 2),
      price: product?.price ?? 0,
    }
  })
  return {
    id,
    customerId: ((id * 5) % PEOPLE.length) + 1,
    status: ['open', 'paid', 'shipped', 'shipped', 'cancelled'][id % 5],
    placedOn: `2026-${String(1 + (id % 9)).padStart(2, '0')}-${String(1 + (id % 28)).padStart(2, '0')}`,
    total: lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0),
    lines,
  }
}

const PRODUCTS = [
  ['Copper kettle', 'kitchen', 64, 12],
  ['Bread knife', 'kitchen', 28, 40],
  ['Stone mortar', 'kitchen', 35, 9],
  ['Enamel pot', 'kitchen', 49, 21],
  ['Watering can', 'garden', 22, 33],
  ['Rose shears', 'garden', 31, 18],
  ['Rain gauge', 'garden', 14, 57],
  ['Hammock', 'garden', 79, 6],
  ['Canvas bag', 'travel', 45, 25],
  ['Travel chess', 'travel', 38, 14],
  ['Head torch', 'travel', 27, 44],
  ['Wool blanket', 'travel', 88, 11],
  ['Wooden train', 'toys', 52, 16],
  ['Kite', 'toys', 24, 30],
  ['Marble run', 'toys', 67, 8],
  ['Spinning top', 'toys', 9, 75],
] as const

const PEOPLE = [
  ['Ada Moreau', 'Lyon'],
  ['Bela Horvat', 'Zagreb'],
  ['Chidi Okafor', 'Lagos'],
  ['Dina Rossi', 'Turin'],
  ['Edda Larsen', 'Bergen'],
  ['Femi Adeyemi', 'Lagos'],
  ['Gita Rao', 'Pune'],
  ['Hugo Silva', 'Porto'],
  ['Ines Weber', 'Basel'],
  ['Jonas Lind', 'Malmo'],
  ['Kaya Demir', 'Izmir'],
  ['Liam Walsh', 'Cork'],
] as const

const OPINIONS = [
  'Broke on the first day.',
  'Not what the picture shows.',
  'Does what it should.',
  'Well made, slow delivery.',
  'I bought a second one.',
]
