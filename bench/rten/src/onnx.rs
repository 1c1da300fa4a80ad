//! A residual net as an ONNX file, in as much of the protobuf format as it needs.

/// A message that is being written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(mut self, field: u64, number: u64) -> Message {
        self.varint(field << 3);
        self.varint(number);
        self
    }

    fn bytes(mut self, field: u64, bytes: impl AsRef<[u8]>) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.as_ref().len() as u64);
        self.0.extend_from_slice(bytes.as_ref());
        self
    }

    fn message(self, field: u64, message: Message) -> Message {
        self.bytes(field, message.0)
    }
}

/// The shape of a net, and of its board.
#[derive(Clone, Copy)]
pub struct Shape {
    pub planes: usize,
    pub blocks: usize,
    pub channels: usize,
    pub policy: usize,
    pub height: usize,
    pub width: usize,
}

/// The types of tensors.
const FLOAT: u64 = 1;
const INT8: u64 = 3;

/// A graph that is being written.
struct Graph {
    message: Message,
    /// Convolutions of bytes with 32-bit sums, quantised as the numbers come, in place of floating point.
    quantised: bool,
    /// Names so far.
    names: usize,
}

impl Graph {
    fn add(&mut self, field: u64, message: Message) {
        self.message = std::mem::take(&mut self.message).message(field, message);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    /// Numbers that are the same every time and sum up to about nothing.
    fn tensor(&mut self, dims: &[usize], kind: u64) -> String {
        let name = self.name();
        let count: usize = dims.iter().product();
        let noise = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) % 255;
        let data: Vec<u8> = if kind == INT8 {
            (0..count).map(|i| (noise(i) as i32 - 127) as u8).collect()
        } else {
            (0..count).flat_map(|i| ((noise(i) as f32 - 127.0) / 1000.0).to_le_bytes()).collect()
        };
        let tensor = dims.iter().fold(Message::default(), |tensor, dim| tensor.number(1, *dim as u64));
        self.add(5, tensor.number(2, kind).bytes(8, &name).bytes(9, data));
        name
    }

    /// A node with its number of outputs.
    fn node(&mut self, kind: &str, inputs: &[&str], outputs: usize, attributes: Vec<Message>) -> Vec<String> {
        let outputs: Vec<String> = (0..outputs).map(|_| self.name()).collect();
        let node = inputs.iter().fold(Message::default(), |node, input| node.bytes(1, input));
        let node = outputs.iter().fold(node, |node, output| node.bytes(2, output)).bytes(4, kind);
        let node = attributes.into_iter().fold(node, |node, attribute| node.message(5, attribute));
        self.add(1, node);
        outputs
    }

    fn one(&mut self, kind: &str, inputs: &[&str]) -> String {
        self.node(kind, inputs, 1, Vec::new()).remove(0)
    }

    fn conv(&mut self, input: &str, from: usize, to: usize, side: usize) -> String {
        let list = |name: &str, numbers: &[usize]| {
            let list = Message::default().bytes(1, name).number(20, 7);
            numbers.iter().fold(list, |list, number| list.number(8, *number as u64))
        };
        let shape = vec![list("pads", &[side / 2; 4]), list("strides", &[1, 1]), list("dilations", &[1, 1])];
        let kind = if self.quantised { INT8 } else { FLOAT };
        let weights = self.tensor(&[to, from, side, side], kind);
        if !self.quantised {
            let bias = self.tensor(&[to], FLOAT);
            return self.node("Conv", &[input, &weights, &bias], 1, shape).remove(0);
        }
        let bytes = self.node("DynamicQuantizeLinear", &[input], 3, Vec::new());
        let sums = self.node("ConvInteger", &[&bytes[0], &weights, &bytes[2]], 1, shape).remove(0);
        let float = Message::default().bytes(1, "to").number(3, FLOAT).number(20, 2);
        let sums = self.node("Cast", &[&sums], 1, vec![float]).remove(0);
        let (own, bias) = (self.tensor(&[1, to, 1, 1], FLOAT), self.tensor(&[1, to, 1, 1], FLOAT));
        let scale = self.one("Mul", &[&bytes[1], &own]);
        let scaled = self.one("Mul", &[&sums, &scale]);
        self.one("Add", &[&scaled, &bias])
    }
}

/// The file of a net: stem 5x5, blocks of two 3x3 layers, a policy by 1x1 layers and a value by the mean over the board.
pub fn file(shape: Shape, quantised: bool) -> Vec<u8> {
    let Shape { planes, blocks, channels, policy, height, width } = shape;
    let mut graph = Graph { message: Message::default(), quantised, names: 0 };
    let mut stream = graph.conv("planes", planes, channels, 5);
    for _ in 0..blocks {
        let first = graph.one("Relu", &[&stream]);
        let inner = graph.conv(&first, channels, channels, 3);
        let second = graph.one("Relu", &[&inner]);
        let outer = graph.conv(&second, channels, channels, 3);
        stream = graph.one("Add", &[&stream, &outer]);
    }
    let last = graph.one("Relu", &[&stream]);
    let inner = graph.conv(&last, channels, 32, 1);
    let inner = graph.one("Relu", &[&inner]);
    let policy = graph.conv(&inner, 32, policy, 1);
    let pooled = graph.one("GlobalAveragePool", &[&last]);
    let inner = graph.conv(&pooled, channels, 24, 1);
    let inner = graph.one("Relu", &[&inner]);
    let value = graph.conv(&inner, 24, 3, 1);

    let dims = [1, planes, height, width];
    let dims =
        dims.iter().fold(Message::default(), |dims, dim| dims.message(1, Message::default().number(1, *dim as u64)));
    let kind = Message::default().message(1, Message::default().number(1, FLOAT).message(2, dims));
    graph.add(11, Message::default().bytes(1, "planes").message(2, kind));
    for output in [policy, value] {
        graph.add(12, Message::default().bytes(1, output));
    }
    let opset = Message::default().bytes(1, "").number(2, 17);
    Message::default().number(1, 8).message(7, graph.message.bytes(2, "net")).message(8, opset).0
}
